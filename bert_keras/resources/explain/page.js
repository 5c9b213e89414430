"use strict";
// Draws the attention of the chosen layer and head. The weights are bytes, [layers, heads, pieces, pieces] / 255.
const data = JSON.parse(document.getElementById("data").textContent);
const weights = Uint8Array.from(atob(data.weights), (character) => character.charCodeAt(0));
const count = data.pieces.length;
const byId = (id) => document.getElementById(id);
const [layer, head, map, told] = ["layer", "head", "map", "told"].map(byId);
const LABELS = 90;
const cell = Math.max(6, Math.min(22, Math.floor(640 / count)));
let shares = [];

function addOption(select, value, text) {
  const option = document.createElement("option");
  option.value = value;
  option.textContent = text;
  select.append(option);
}

function chosenShares() {
  const heads = head.value === "all" ? [...Array(data.heads).keys()] : [Number(head.value)];
  const sums = new Float32Array(count * count);
  for (const own of heads) {
    const begin = (Number(layer.value) * data.heads + own) * count * count;
    for (let i = 0; i < sums.length; i++) sums[i] += weights[begin + i] / (255 * heads.length);
  }
  return sums;
}

function draw() {
  const style = getComputedStyle(document.documentElement);
  const size = LABELS + cell * count;
  const ratio = window.devicePixelRatio || 1;
  map.width = map.height = size * ratio;
  map.style.width = `${size}px`;
  const pen = map.getContext("2d");
  pen.scale(ratio, ratio);
  pen.font = `${Math.min(12, cell)}px system-ui, sans-serif`;
  pen.textBaseline = "middle";
  pen.fillStyle = style.getPropertyValue("--text");
  data.pieces.forEach((piece, place) => {
    const middle = LABELS + cell * (place + 0.5);
    pen.textAlign = "right";
    pen.fillText(piece, LABELS - 4, middle, LABELS - 6);
    pen.save();
    pen.translate(middle, LABELS - 4);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "left";
    pen.fillText(piece, 0, 0, LABELS - 6);
    pen.restore();
  });
  const highest = shares.reduce((most, share) => Math.max(most, share), 1e-6);
  const accent = style.getPropertyValue("--accent");
  shares.forEach((share, place) => {
    pen.fillStyle = `rgb(${accent} / ${share / highest})`;
    pen.fillRect(LABELS + cell * (place % count), LABELS + cell * Math.floor(place / count), cell - 1, cell - 1);
  });
}

function list() {
  byId("which").textContent = `Layer ${layer.value}, ${head.value === "all" ? "mean of all heads" : `head ${head.value}`}`;
  byId("most").replaceChildren(...data.pieces.map((piece, row) => {
    const own = Array.from(shares.slice(row * count, (row + 1) * count), (share, column) => [share, column]);
    own.sort((one, other) => other[0] - one[0]);
    const most = own.slice(0, 3).map(([share, column]) => `“${data.pieces[column]}” ${share.toFixed(2)}`);
    const line = document.createElement("tr");
    const name = document.createElement("th");
    const value = document.createElement("td");
    name.scope = "row";
    name.textContent = piece;
    value.textContent = most.join(", ");
    line.append(name, value);
    return line;
  }));
}

function show() {
  shares = chosenShares();
  draw();
  list();
}

for (let i = 0; i < data.layers; i++) addOption(layer, i, i);
addOption(head, "all", "all (mean)");
for (let i = 0; i < data.heads; i++) addOption(head, i, i);
layer.value = data.layers - 1;
layer.addEventListener("change", show);
head.addEventListener("change", show);
map.addEventListener("pointermove", (event) => {
  const box = map.getBoundingClientRect();
  const place = (at, begin) => Math.floor((((at - begin) / box.width) * (LABELS + cell * count) - LABELS) / cell);
  const [row, column] = [place(event.clientY, box.top), place(event.clientX, box.left)];
  const inside = row >= 0 && row < count && column >= 0 && column < count;
  told.textContent = inside
    ? `“${data.pieces[row]}” looks at “${data.pieces[column]}”: ${shares[row * count + column].toFixed(2)}`
    : "";
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
document.querySelectorAll(".script").forEach((element) => element.classList.remove("script"));
show();
