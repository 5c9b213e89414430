"""Texts for a masked language model. B batch, L length, K masks of a row, N rows.

Where a text holds mask tokens, its label says what stands there: that is learned and scored. Texts without any are
masked anew in every epoch (Devlin et al. 2018, section 3.1; Liu et al. 2019, section 4.1), which fits a model to their
language.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from bert_keras.data.encode import Encoded
from bert_keras.data.kinds.kind import Inputs, Kind, Prepared
from bert_keras.data.masking import Vocabulary, choose, listed, quotas, replace
from bert_keras.data.plain_text import lines_of, read_text, source_name
from bert_keras.data.rows import Rows
from bert_keras.data.tables import require_labels, table
from bert_keras.errors import InputError
from bert_keras.text.mask_rows import mask_places, mask_rows, masks_in
from bert_keras.text.rows import text_rows, unpadded, window_bounds

# Share of the tokens to guess, as BERT and RoBERTa.
_FRACTION = 0.15
_IGNORED = -100
# [CLS] and [SEP]: nothing to guess.
_EMPTY = 2
_TARGETS = tf.TensorSpec([None, None], tf.int32, "labels")


def masked_texts(
    source: str | os.PathLike,
    text: str | None = None,
    label: str | None = None,
    data_dir: str | os.PathLike | None = None,
) -> Rows:
    """Read texts to learn a language from, or texts with mask tokens and what stands there.

    Args:
        source: a `.txt` file, whose texts are divided by blank lines; or a source of `table`.
        text: the column of the text; guessed as `table` does when None.
        label: the column of what stands at the mask tokens: a word, or as many words with spaces between as the text
            has masks. Only texts with masks need it.
        data_dir: where TFDS keeps its prepared data; its own default when None.

    Raises:
        InputError: as `table`, or the text file is empty or not UTF-8.
    """
    name = source_name(source)
    if Path(name).suffix.lower() != ".txt":
        return table(source, text=text, label=label, data_dir=data_dir)
    texts: list[str] = []
    starts: list[int] = []
    goes_on = False
    for number, line in enumerate(lines_of(read_text(source)), start=1):
        if not line.strip():
            goes_on = False
        elif goes_on:
            texts[-1] += f" {line.strip()}"
        else:
            texts.append(line.strip())
            starts.append(number)
            goes_on = True
    return Rows(name, texts, None, None, starts)


def _prepare(rows: Rows, tokenizer: Any, model: Any, max_length: int) -> Prepared:
    mask = tokenizer.special_tokens["mask"]
    if any(mask in text for text in [*rows.texts, *(rows.pairs or [])]):
        return _given_masks(rows, tokenizer.with_mask_in_text(), max_length)
    return _own_masks(rows, tokenizer, max_length)


def _own_masks(rows: Rows, tokenizer: Any, max_length: int) -> Prepared:
    """Texts that are masked by the epoch; a long one is several rows."""
    encoded = _windows(rows, tokenizer, max_length)
    kept = np.flatnonzero(encoded.lengths > _EMPTY)
    if not len(kept):
        raise InputError(f"{rows.source} holds no text that the tokenizer gives a token for")
    vocabulary = Vocabulary.of(tokenizer)

    def gather(batch: np.ndarray, epoch: int) -> tuple[Inputs, np.ndarray]:
        inputs = encoded.padded(kept[batch], tokenizer.pad_id)
        # The batches of an epoch depend on the seed: so do its masks.
        random = np.random.default_rng([epoch, *batch])
        tokens = inputs["token_ids"]
        quota = quotas(encoded.lengths[kept[batch]], _FRACTION, max_length)
        chosen = choose(tokens, quota, vocabulary, False, random)
        inputs["token_ids"] = replace(tokens, chosen, vocabulary, random)
        inputs["masked_positions"], pieces, real = listed(tokens, chosen, int(chosen.sum(axis=1).max()))
        return inputs, np.where(real > 0, pieces, _IGNORED).astype(np.int32)

    return Prepared(encoded.lengths[kept], gather, _TARGETS)


def _windows(rows: Rows, tokenizer: Any, max_length: int) -> Encoded:
    if rows.pairs is not None:
        return Encoded.of(text_rows(tokenizer, rows.texts, rows.pairs, max_length, windows=True))
    room = max_length - 2
    parts = [
        ids[begin:end]
        for ids in tokenizer.ids(rows.texts)
        # Every token is learned from as often as any other: windows do not overlap.
        for begin, end in window_bounds(len(ids), room, stride=room)
    ]
    return Encoded.of(unpadded(tokenizer.pack_ids(parts, max_length=max_length), range(len(parts))))


def _given_masks(rows: Rows, tokenizer: Any, max_length: int) -> Prepared:
    """Texts with masks and what stands there; of what is no single piece nothing is learned."""
    if rows.pairs is not None:
        raise InputError(f"{rows.source} has pairs of texts with mask tokens: give single texts to train on")
    pieces = iter([piece for row in range(len(rows)) for piece in _pieces(rows, row, tokenizer)])
    made = mask_rows(tokenizer, rows.texts, None, max_length)
    positions, wanted = [], []
    for row in made:
        read = masks_in(row, tokenizer.mask_id)
        positions.append(np.flatnonzero(row.token_ids == tokenizer.mask_id)[read])
        wanted.append(np.array([next(pieces) for _ in range(read.sum())], np.int32))
    kept = [row for row, of_row in enumerate(wanted) if (of_row != _IGNORED).any()]
    if not kept:
        raise InputError(f"{rows.source}: no label is one piece of the vocabulary, and a mask stands for one piece")
    encoded = Encoded.of([made[row] for row in kept])

    def gather(batch: np.ndarray, epoch: int) -> tuple[Inputs, np.ndarray]:
        inputs = encoded.padded(batch, tokenizer.pad_id)
        width = max(len(wanted[kept[row]]) for row in batch)
        inputs["masked_positions"] = np.zeros((len(batch), width), np.int32)
        targets = np.full((len(batch), width), _IGNORED, np.int32)
        for line, row in enumerate(batch):
            count = len(wanted[kept[row]])
            inputs["masked_positions"][line, :count] = positions[kept[row]]
            targets[line, :count] = wanted[kept[row]]
        return inputs, targets

    return Prepared(encoded.lengths, gather, _TARGETS)


def _pieces(rows: Rows, row: int, tokenizer: Any) -> list[int]:
    """The id that each mask of a text stands for, -100 where it stands for several pieces."""
    text, label = rows.texts[row], require_labels(rows)[row]
    places = mask_places(tokenizer, text)
    words = label.split() if len(places) > 1 else [label.strip()]
    if len(words) != len(places):
        raise InputError(
            f"{rows.where(row)}: the text has {len(places)} masks, but the label {label!r} has {len(words)} words; "
            "each mask needs one"
        )
    filled, behind, bounds = "", 0, []
    for (start, end), word in zip(places, words, strict=True):
        filled += text[behind:start]
        bounds.append((len(filled), len(filled) + len(word)))
        filled, behind = filled + word, end
    found = tokenizer.tokenize(filled + text[behind:])
    return [_only_piece(found, start, end) for start, end in bounds]


def _only_piece(found: list[tuple[str, int, int, int]], start: int, end: int) -> int:
    """The id of the piece that is all of a place in a text."""
    inside = [(index, last) for _, index, first, last in found if first < end and last > start]
    return inside[0][0] if len(inside) == 1 and inside[0][1] == end else _IGNORED


def _scores(examples: Any) -> str | None:
    """Plain texts are masked anew each time: only given masks have words to be found."""
    return None if examples.labels is None else "masks"


MASKED_TEXTS = Kind(load=masked_texts, prepare=_prepare, columns=("text", "label", "data_dir"), scores=_scores)
