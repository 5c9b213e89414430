"""Error of short and long texts, in bins of about as many examples. N examples."""

from collections.abc import Sequence

import numpy as np

from bert_keras.evaluation.result import LengthBin

_MOST_BINS = 8
_FEWEST_EXAMPLES = 5
# Texts whose words are longer on average are of a script without spaces.
_LONGEST_WORD = 15


def length_bins(texts: Sequence[str], errors: Sequence[float]) -> tuple[list[LengthBin], str]:
    """Return the bins, the shortest texts first, and what the lengths count: words, or characters without spaces.

    Args:
        texts: N texts.
        errors: the error of each, such as 1 for wrong and 0 for right.
    """
    words = [len(text.split()) for text in texts]
    characters = [len(text) for text in texts]
    unit = "words" if sum(characters) <= _LONGEST_WORD * sum(words) else "characters"
    lengths = np.array(words if unit == "words" else characters)
    order = np.argsort(lengths, kind="stable")
    bins = []
    for part in _parts(lengths[order]):
        chosen = order[part]
        error = float(np.mean(np.asarray(errors, np.float64)[chosen]))
        bins.append(LengthBin(int(lengths[chosen[0]]), int(lengths[chosen[-1]]), len(chosen), error))
    return bins, unit


def _parts(rising: np.ndarray) -> list[slice]:
    """Cut N rising lengths into parts of about as many, equal lengths never apart."""
    wanted = int(np.clip(len(rising) // _FEWEST_EXAMPLES, 1, _MOST_BINS))
    edges = [len(rising) * part // wanted for part in range(1, wanted)]
    # To where the length at the edge begins.
    starts = sorted({int(np.searchsorted(rising, rising[edge], side="left")) for edge in edges} - {0})
    return [slice(begin, end) for begin, end in zip([0, *starts], [*starts, len(rising)], strict=True)]
