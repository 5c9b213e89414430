"""One page that shows what a model looks at and what its answer rests on; a browser needs nothing else to read it."""

import base64
import hashlib
import html
import json
import math
import re
from importlib import resources

import numpy as np

from bert_keras.explain.attention import Attention
from bert_keras.explain.attributions import Attributions
from bert_keras.text.surrogates import without_surrogates

# What the map shows at most: pieces, for the eye, and bytes, for the file.
_MOST_PIECES = 128
_MOST_BYTES = 2_000_000
# How strong the colour of the largest score is; text stays readable on it in a light and in a dark page.
_STRONGEST = 0.6
# Shares of the largest score below this get no colour.
_FAINTEST = 0.02


def page(attention: Attention, attributions: Attributions | None = None, title: str = "A model explained") -> str:
    """An HTML page with the words coloured by their scores and a map of every head's attention.

    It loads nothing, and what it shows of a text is never run. Weights are rounded to 1/255; of a long text the map
    shows the beginning.

    Args:
        attention: of a text.
        attributions: of the same text, if the model gives an answer.
        title: of the page.
    """
    layers, heads, length, _ = attention.array.shape
    count = min(length, _MOST_PIECES, math.isqrt(_MOST_BYTES // (layers * heads)))
    weights = attention.array[:, :, :count, :count]
    pieces = attention.pieces[:count]
    data = {
        "pieces": pieces,
        "layers": layers,
        "heads": heads,
        "weights": base64.b64encode(np.round(weights * 255).astype(np.uint8).tobytes()).decode("ascii"),
    }
    shown = f"{layers} layers of {heads} heads over {length} pieces. A row is a piece that looks."
    if count < length:
        shown += f" The map shows the first {count} pieces, as a file of this size can; the array has all."
    script = _resource("page.js")
    parts = {
        "title": html.escape(title),
        "hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
        "attributions": "" if attributions is None else _attributions(attributions),
        "shown": shown,
        "which": f"Layer {layers - 1}, mean of all heads",
        "rows": "\n".join(_most(pieces, weights[-1].mean(axis=0))),
        "data": _json(data),
        "script": script,
    }
    # In one pass: what is put in may look like a place itself.
    filled = re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], _resource("page.html"))
    return without_surrogates(filled)


def _resource(name: str) -> str:
    return (resources.files("bert_keras.resources") / "explain" / name).read_text(encoding="utf-8")


def _json(data: dict) -> str:
    """JSON that can stand in a script element: no text can end it."""
    return json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _most(pieces: list[str], shares: np.ndarray) -> list[str]:
    """A row of the table for each piece: the three that it looks at most."""
    lines = []
    for piece, own in zip(pieces, shares, strict=True):
        order = np.argsort(-own, kind="stable")[:3]
        most = ", ".join(f"“{pieces[i]}” {own[i]:.2f}" for i in order)
        lines.append(f'<tr><th scope="row">{html.escape(piece)}</th><td>{html.escape(most)}</td></tr>')
    return lines


def _attributions(found: Attributions) -> str:
    largest = float(np.abs(found.word_scores).max(initial=0.0)) or 1.0
    shares = (found.word_scores / largest).tolist()
    texts = "\n".join(
        f'<p class="read" lang="" dir="auto">{_coloured(found, part, shares)}</p>' for part in range(len(found.texts))
    )
    keys = "".join(
        f'<span class="key {side}" style="--share:{_STRONGEST * share:.2f}">{name}</span> '
        for side, share, name in (
            ("against", 1.0, "strongly against"),
            ("against", 0.3, "against"),
            ("for", 0.3, "for"),
            ("for", 1.0, "strongly for"),
        )
    )
    rows = "\n".join(
        f'<tr><th scope="row">{html.escape(word.text)}</th><td class="number">{score:+.4f}</td></tr>'
        for word, score in zip(found.words, found.word_scores, strict=True)
    )
    return f"""<section aria-labelledby="attributions">
<h2 id="attributions">What speaks for “<bdi>{html.escape(found.target)}</bdi>”</h2>
<p>The model gives it {found.score:.4f}.</p>
{texts}
<p>{keys}</p>
<p class="note">{_sums(found)}</p>
<details>
<summary>As a table</summary>
<table>
<caption>Score of each word: above 0 for, below 0 against</caption>
<thead><tr><th scope="col">word</th><th scope="col">score</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</details>
</section>"""


def _coloured(found: Attributions, part: int, shares: list[float]) -> str:
    """One text, its words coloured by their shares of the largest score."""
    text, at, pieces = found.texts[part], 0, []
    for word, share, score in zip(found.words, shares, found.word_scores, strict=True):
        if word.part != part:
            continue
        pieces.append(html.escape(text[at : word.start]))
        side = "" if abs(share) < _FAINTEST else " for" if share > 0 else " against"
        style = f"--share:{_STRONGEST * abs(share):.2f}"
        pieces.append(f'<span class="word{side}" style="{style}" title="{score:+.4f}">{html.escape(word.text)}</span>')
        at = word.end
    return "".join([*pieces, html.escape(text[at:])])


def _sums(found: Attributions) -> str:
    if found.baseline_value is None:
        return f"Gradient × input of {found.value:.4f}."
    return (
        f"Integrated gradients. With every word masked the model's number is {found.baseline_value:.4f}, with the text "
        f"{found.value:.4f}; the scores share out the difference, but for {abs(found.gap or 0.0):.2g}."
    )
