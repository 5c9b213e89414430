"""Pictures of attention and attributions, drawn without a window. L length."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

# Okabe and Ito's blue and orange (2008), which the colour-blind tell apart: for and against.
FOR, AGAINST = "#0072B2", "#E69F00"
# Words of a picture, those with the largest scores; more would not be readable.
_MOST_WORDS = 40


def attention_figure(pieces: Sequence[str], weights: np.ndarray, layer: int, head: int) -> Figure:
    """One head as a map: a row a piece that looks, a column a piece that it looks at.

    Args:
        pieces: the L pieces.
        weights: `[L, L]`, each row sums to 1.
        layer, head: for the title.
    """
    side = 2 + 0.22 * len(pieces)
    figure = Figure(figsize=(side + 1, side), layout="constrained")
    axes = figure.add_subplot()
    picture = axes.imshow(weights, cmap="cividis", vmin=0)
    axes.set_xticks(range(len(pieces)), pieces, rotation=90, fontsize=8, parse_math=False)
    axes.set_yticks(range(len(pieces)), pieces, fontsize=8, parse_math=False)
    axes.set(title=f"layer {layer}, head {head}", xlabel="is looked at", ylabel="looks")
    figure.colorbar(picture, ax=axes, label="share of the attention")
    return figure


def attributions_figure(words: Sequence[str], scores: np.ndarray, target: str) -> Figure:
    """Words as bars, to the right where they speak for the target and to the left where against it.

    Args:
        words: the words in the order of the text.
        scores: a score of each.
        target: for the title.
    """
    shown = np.sort(np.argsort(-np.abs(scores), kind="stable")[:_MOST_WORDS])
    figure = Figure(figsize=(7, 1.2 + 0.25 * len(shown)), layout="constrained")
    axes = figure.add_subplot()
    axes.barh(range(len(shown)), scores[shown], color=[FOR if scores[i] > 0 else AGAINST for i in shown])
    axes.set_yticks(range(len(shown)), [words[i] for i in shown], fontsize=9, parse_math=False)
    axes.invert_yaxis()
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_title(target, parse_math=False)
    axes.set_xlabel("against  ←  →  for")
    return figure
