"""Pretraining instances and their batches."""

import dataclasses
import itertools
import warnings

import numpy as np
import pytest

import bert_keras as bk
from bert_keras import data
from bert_keras.errors import InputError

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = [f"{a}{b}" for a, b in itertools.product("abcdefghij", repeat=2)]


@pytest.fixture(scope="module")
def words():
    """A tokenizer of 100 words with ids from 5 on."""
    return bk.Tokenizer.from_vocabulary([*SPECIAL, *WORDS])


@pytest.fixture(scope="module")
def documents():
    """Twelve documents of 30 sentences with 3 to 11 words."""
    random = np.random.default_rng(0)
    return [[" ".join(random.choice(WORDS, random.integers(3, 12))) for _ in range(30)] for _ in range(12)]


@pytest.fixture(scope="module")
def instances(words, documents):
    return data.pretraining_instances(documents, words, max_length=64, dupe_factor=3, seed=1)


def unmasked(instances):
    """The rows as they were before masking."""
    rows = instances.token_ids.copy()
    for row, positions, ids, weights in zip(
        rows, instances.masked_positions, instances.masked_ids, instances.masked_weights, strict=True
    ):
        row[positions[weights == 1]] = ids[weights == 1]
    return rows


def test_layout(instances):
    # [CLS] A [SEP] B [SEP] [PAD] …; segment 1 from behind the first [SEP] to the last.
    for row, segments, length in zip(unmasked(instances), instances.segment_ids, instances.lengths, strict=True):
        first, last = np.flatnonzero(row == 3)
        assert row[0] == 2
        assert 2 <= first < last - 1
        assert last == length - 1
        assert (row[length:] == 0).all()
        assert (row[[*range(1, first), *range(first + 1, last)]] >= 5).all()
        assert np.flatnonzero(segments).tolist() == list(range(first + 1, last + 1))


def test_shapes_and_types(instances):
    # 2.09: all arrays are full length. K = round(.15 x 64) = 10, below the 20 allowed.
    count = len(instances)
    assert instances.token_ids.shape == (count, 64)
    assert instances.masked_positions.shape == instances.masked_ids.shape == instances.masked_weights.shape
    assert instances.masked_ids.shape == (count, 10)
    assert instances.lengths.max() == 64
    assert instances.token_ids.dtype == instances.masked_ids.dtype == np.int32


@pytest.mark.parametrize(("max_length", "most"), [(128, 19), (512, 76)])
def test_long_instances_have_as_many_predictions_as_bert(words, max_length, most):
    # round(.15 x 128) = 19, below the 20 of BERT's first phase; 76 in its second, where .15 x 512 = 76.8.
    documents = [[" ".join(WORDS[:10])] * 200] * 20
    long = data.pretraining_instances(documents, words, max_length, dupe_factor=1, short_sequence_probability=0.0)
    assert long.lengths.max() == max_length
    assert long.masked_weights.sum(axis=1).max() == long.masked_ids.shape[1] == most


def test_predictions(instances):
    quota = [min(20, max(1, round(0.15 * int(length)))) for length in instances.lengths]
    assert instances.masked_weights.sum(axis=1).tolist() == quota
    for positions, ids, weights, length in zip(
        instances.masked_positions, instances.masked_ids, instances.masked_weights, instances.lengths, strict=True
    ):
        real = positions[weights == 1]
        assert (np.diff(real) > 0).all()
        assert 0 < real.min() <= real.max() < length - 1
        assert (ids[weights == 1] >= 5).all()
        assert (positions[weights == 0] == 0).all()


def test_only_chosen_tokens_change(instances, documents):
    text = {" ".join(sentence.split()) for document in documents for sentence in document}
    joined = " | ".join(text)
    row = unmasked(instances)[0]
    first = np.flatnonzero(row == 3)[0]
    # A piece of A that lies within one sentence is found in the documents.
    words_of_a = [WORDS[token - 5] for token in row[1:first]]
    assert any(" ".join(words_of_a[i : i + 3]) in joined for i in range(len(words_of_a) - 2))


def test_ids_stay_within_the_vocabulary(instances, words):
    assert instances.token_ids.max() < len(words.vocabulary)
    assert instances.masked_ids.max() < len(words.vocabulary)


def test_same_seed_same_bytes(words, documents, instances):
    # 4.15
    again = data.pretraining_instances(documents, words, max_length=64, dupe_factor=3, seed=1)
    other = data.pretraining_instances(documents, words, max_length=64, dupe_factor=3, seed=2)
    for field in dataclasses.fields(instances):
        assert getattr(instances, field.name).tobytes() == getattr(again, field.name).tobytes()
    assert instances.token_ids.tobytes() != other.token_ids.tobytes()


def test_each_pass_over_the_documents_adds_others(words, documents, instances):
    once = data.pretraining_instances(documents, words, max_length=64, dupe_factor=1, seed=1)
    assert len(instances) == pytest.approx(3 * len(once), rel=0.15)
    assert len(np.unique(instances.token_ids, axis=0)) == len(instances)


def test_lines_without_a_token_are_dropped(words):
    # 2.03
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = unmasked(
            data.pretraining_instances(
                [["aa ab", "\u200b", "ac"], ["\u200b"], [], ["ba", ""]], words, 16, dupe_factor=5
            )
        )
    assert ((rows == 3).sum(axis=1) == 2).all()
    assert not ((rows[:, :-1] == 3) & (rows[:, 1:] == 3)).any()


@pytest.mark.parametrize("documents", [[], [[]], [["\u200b"], [""]]])
def test_no_token_at_all(words, documents):
    # 2.04
    with pytest.raises(InputError, match="hold no text"):
        data.pretraining_instances(documents, words)


def test_two_documents_of_one_token(words):
    # 2.04
    with pytest.warns(UserWarning, match="100% of the sentence pairs are random"):
        instances = data.pretraining_instances([["aa"], ["bb"]], words, max_length=8, dupe_factor=2)
    assert len(instances) == 4
    assert (instances.lengths == 5).all()
    assert (instances.masked_weights.sum(axis=1) == 1).all()


def test_sentences_apart_warn(words, documents):
    # 2.01
    sentences = [[sentence] for document in documents for sentence in document]
    with pytest.warns(UserWarning, match="100% of the sentence pairs are random"):
        instances = data.pretraining_instances(sentences, words, max_length=64, dupe_factor=1)
    assert (instances.next_sentence_labels == 1).all()


def test_one_document_warns(words, documents):
    with pytest.warns(UserWarning, match="one document"):
        data.pretraining_instances([list(itertools.chain(*documents))], words, max_length=64, dupe_factor=1)


def test_both_labels_occur(instances):
    assert instances.next_sentence_labels.mean() == pytest.approx(0.5, abs=0.12)


def test_whole_words(tokenizer):
    documents = [["unseenly good film", "very unseenly bad", "good unseenly film"] * 20] * 3
    instances = data.pretraining_instances(
        documents, tokenizer, max_length=32, masked_fraction=0.3, dupe_factor=2, whole_word=True
    )
    rows = unmasked(instances)
    for row, positions, weights in zip(rows, instances.masked_positions, instances.masked_weights, strict=True):
        chosen = np.zeros(len(row), bool)
        chosen[positions[weights == 1]] = True
        for place in np.flatnonzero(row[:-2] == 9):  # un ##seen ##ly
            word = [place + i for i in range(3) if row[place + i] == 9 + i]
            assert len(set(chosen[word])) == 1


@pytest.mark.parametrize(
    ("option", "value"),
    [("max_length", 4), ("max_predictions", 0), ("dupe_factor", 0), ("masked_fraction", 0.0), ("seed", -1)],
)
def test_numbers_out_of_range(words, option, value):
    with pytest.raises(InputError, match=f"{option} is {value}"):
        data.pretraining_instances([["aa"]], words, **{option: value})


def test_batches(instances):
    dataset = data.pretraining_dataset(instances, batch_size=16, seed=3)
    assert len(dataset) == -(-len(instances) // 16)
    found = []
    for inputs, targets, weights in dataset:
        rows, mask = inputs["token_ids"].numpy(), inputs["padding_mask"].numpy()
        assert mask.sum(axis=1).max() == mask.shape[1] == rows.shape[1]
        assert inputs["masked_positions"].shape == targets["mlm"].shape == weights["mlm"].shape == (len(rows), 10)
        assert (weights["nsp"].numpy() == 1).all()
        found += [row[: m.sum()].tobytes() for row, m in zip(rows, mask, strict=True)]
    assert sorted(found) == sorted(r[:n].tobytes() for r, n in zip(instances.token_ids, instances.lengths, strict=True))


def test_batches_hold_what_belongs_together(instances):
    inputs, targets, weights = next(iter(data.pretraining_dataset(instances, batch_size=4)))
    for i in range(4):
        length = int(inputs["padding_mask"][i].numpy().sum())
        row = inputs["token_ids"][i].numpy()[:length]
        (at,) = [
            n for n in range(len(instances)) if np.array_equal(instances.token_ids[n, : instances.lengths[n]], row)
        ]
        assert inputs["segment_ids"][i].numpy()[:length].tolist() == instances.segment_ids[at, :length].tolist()
        assert inputs["masked_positions"][i].numpy().tolist() == instances.masked_positions[at].tolist()
        assert targets["mlm"][i].numpy().tolist() == instances.masked_ids[at].tolist()
        assert int(targets["nsp"][i]) == instances.next_sentence_labels[at]
        assert weights["mlm"][i].numpy().tolist() == instances.masked_weights[at].tolist()


def test_batches_go_on_where_they_were(instances):
    def order(dataset):
        return [inputs["token_ids"].numpy().tobytes() for inputs, _, _ in dataset]

    dataset = data.pretraining_dataset(instances, batch_size=16, seed=3)
    zero, one = order(dataset), order(dataset)
    assert zero != one
    assert order(data.pretraining_dataset(instances, 16, seed=3, start_epoch=1, skip_batches=4)) == one[4:]
