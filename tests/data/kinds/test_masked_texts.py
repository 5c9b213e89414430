"""Texts for fill-mask: plain ones, masked anew each epoch; ones whose masks are given."""

import numpy as np
import pytest
from tiny_text import MAX_LENGTH, VOCABULARY
from tiny_text import tokenizer as tiny_tokenizer
from tiny_training import new_encoder

from bert_keras import data
from bert_keras.data.kinds import KINDS
from bert_keras.errors import InputError
from bert_keras.evaluation import SCORES
from bert_keras.export import ModelPredictor
from bert_keras.tasks import fill_mask
from bert_keras.training import recipe

# [PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3, [MASK] 4, good 5, bad 6, film 7, very 8, un 9, ##seen 10, ##ly 11.
ORDINARY = range(5, 12)
EPOCHS = 12


@pytest.fixture(scope="module")
def filler(encoder):
    return fill_mask(encoder)


def test_blank_lines_divide_a_text_file(write):
    rows = KINDS["masked-texts"].load(write("a.txt", "\nvery good\n film \r\n\n \nbad film\n"))
    assert (rows.texts, list(rows.lines)) == (["very good film", "bad film"], [2, 6])


def test_a_long_text_is_rows_that_skip_and_repeat_nothing(write, tokenizer, filler):
    path = write("a.txt", "very good bad film " * 10)
    batches = data.read(path, tokenizer, filler, 8, 8, shuffle=False)
    ((inputs, targets),) = list(batches)
    tokens = inputs["token_ids"].numpy()
    for line, positions in enumerate(inputs["masked_positions"].numpy()):
        for place, target in zip(positions, targets.numpy()[line], strict=True):
            if target >= 0:
                tokens[line, place] = target
    assert [token for row in tokens for token in row if token > 3] == [8, 5, 6, 7] * 10


def test_a_seventh_of_the_tokens_is_masked_anew_each_epoch(write, tokenizer, filler):
    path = write("a.txt", "very good bad film unseen\n\n" * 400)
    batches = data.read(path, tokenizer, filler, 400, shuffle=False)
    epochs = [next(iter(batches)) for _ in range(2)]
    seen, kept = [], []
    for inputs, targets in epochs:
        tokens, targets = inputs["token_ids"].numpy(), targets.numpy()
        # 8 tokens a row: round(0.15 * 8) = 1 to guess.
        assert targets.shape == (400, 1)
        assert np.isin(targets, ORDINARY).all()
        given = tokens[np.arange(400), inputs["masked_positions"].numpy()[:, 0]]
        seen.append(np.mean(given == 4))
        kept.append(np.mean(given == targets[:, 0]))
    assert np.mean(seen) == pytest.approx(0.8, abs=0.05)
    assert 0.1 - 0.04 < np.mean(kept) < 0.1 + 0.1 / 7 + 0.04
    assert (epochs[0][1].numpy() != epochs[1][1].numpy()).mean() > 0.5
    again = next(iter(data.read(path, tokenizer, filler, 400, shuffle=False)))
    np.testing.assert_array_equal(again[1], epochs[0][1])


def test_rows_of_one_batch_have_their_own_number_of_masks(write, tokenizer, filler):
    path = write("a.txt", "good\n\n" + "bad " * 12)
    ((inputs, targets),) = data.read(path, tokenizer, filler, shuffle=False)
    assert targets.numpy().tolist() == [[5, -100], [6, 6]]
    assert inputs["masked_positions"].numpy()[0].tolist() == [1, 0]


def test_a_text_without_a_token_is_left_out(write, tokenizer, filler):
    assert len(list(data.read(write("a.tsv", "text\ngood film\n\u200b\n"), tokenizer, filler, 1))) == 1
    with pytest.raises(InputError, match=r"b\.tsv holds no text"):
        data.read(write("b.tsv", "text\n\u200b\n"), tokenizer, filler)


def test_the_label_says_what_stands_at_given_masks(write, tokenizer, filler):
    path = write(
        "a.tsv", "text\tlabel\nvery [MASK] film\tgood\n[MASK] [MASK]\tbad film\nun[MASK] [MASK]\tseen unseen\n"
    )
    ((inputs, targets),) = data.read(path, tokenizer, filler, shuffle=False)
    assert inputs["token_ids"].numpy().tolist() == [[2, 8, 4, 7, 3], [2, 4, 4, 3, 0], [2, 9, 4, 4, 3]]
    assert inputs["masked_positions"].numpy().tolist() == [[2, 0], [1, 2], [2, 3]]
    # A word of two pieces is not learned.
    assert targets.numpy().tolist() == [[5, -100], [6, 7], [10, -100]]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("text\nvery [MASK]\n", r"a\.tsv has no labels"),
        (
            "text\tlabel\n[MASK] [MASK]\tgood\n",
            r"a\.tsv, line 2: the text has 2 masks, but the label 'good' has 1 word",
        ),
        ("text\tlabel\n[MASK]\tgood\nbad\tgood\n", r"a\.tsv, line 3: the text has 0 masks"),
        ("text\tlabel\n[MASK]\tunseenly\n", r"a\.tsv: no label is one piece of the vocabulary"),
    ],
)
def test_masks_that_nothing_is_known_of_are_named(write, tokenizer, filler, rows, message):
    with pytest.raises(InputError, match=message):
        data.read(write("a.tsv", rows), tokenizer, filler)


def test_a_few_dozen_texts_are_learned():
    rights = {"film": "good", "mask": "bad", "un": "the"}
    pairs = [(f"{word} {letter} was [MASK]", right) for word, right in rights.items() for letter in "abcdefghijkl"]
    texts, words = zip(*pairs, strict=True)
    rows = data.Rows("made", list(texts), None, list(words), range(1, 37))
    made = fill_mask(new_encoder(VOCABULARY, MAX_LENGTH, width=32, heads=4))
    batches = data.read(rows, tiny_tokenizer(), made, 12)
    made.compile(**recipe(made, 5e-3, EPOCHS * len(batches)))
    made.fit(batches, epochs=EPOCHS, verbose=0, shuffle=False)
    answers = ModelPredictor(made, tiny_tokenizer())(rows.texts)
    assert SCORES["masks"](rows, answers).metrics["accuracy"] == 1
