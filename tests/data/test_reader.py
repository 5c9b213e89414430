"""data.read: the batches that a model is fitted on."""

import numpy as np
import pytest
import tensorflow as tf

import bert_keras as bk
from bert_keras import data
from bert_keras.data.batches import batches_of_like_lengths
from bert_keras.data.encode import encode
from bert_keras.errors import InputError
from bert_keras.tasks import TASKS


@pytest.fixture
def train(tmp_path):
    """Forty rows, sorted by label; row i says "film" i % 7 times behind its label's word."""
    path = tmp_path / "train.tsv"
    rows = [(str(int(i < 20)), ("good" if i < 20 else "bad") + " film" * (i % 7)) for i in range(40)]
    path.write_text("label\ttext\n" + "".join(f"{label}\t{text}\n" for label, text in rows))
    return path


def lines(path, *rows):
    path.write_text("label\ttext\n" + "".join(f"{label}\t{text}\n" for label, text in rows))
    return path


def test_rows_in_the_order_of_the_file(tmp_path, tokenizer, classifier):
    path = lines(tmp_path / "a.tsv", ("no", "bad film"), ("yes", "good"), ("yes", ""))
    batches = list(data.read(path, tokenizer, classifier("no", "yes"), batch_size=2, shuffle=False))
    inputs, labels = batches[0]
    assert inputs["token_ids"].numpy().tolist() == [[2, 6, 7, 3], [2, 5, 3, 0]]
    assert inputs["segment_ids"].numpy().tolist() == [[0, 0, 0, 0], [0, 0, 0, 0]]
    assert inputs["padding_mask"].numpy().tolist() == [[1, 1, 1, 1], [1, 1, 1, 0]]
    assert labels.numpy().tolist() == [0, 1]
    # An empty text gives [CLS] [SEP]; the last batch is padded for itself.
    assert batches[1][0]["token_ids"].numpy().tolist() == [[2, 3]]
    assert len(batches) == 2


def test_pairs_have_two_segments(tmp_path, tokenizer, classifier):
    path = tmp_path / "a.csv"
    path.write_text("sentence1,sentence2,label\ngood film,bad,a\n")
    ((inputs, _),) = data.read(path, tokenizer, classifier("a", "b"), shuffle=False)
    assert inputs["token_ids"].numpy().tolist() == [[2, 5, 7, 3, 6, 3]]
    assert inputs["segment_ids"].numpy().tolist() == [[0, 0, 0, 0, 1, 1]]


@pytest.mark.parametrize("known", [["0", "1"], ["negative", "positive"]], ids=["names", "indices"])
def test_every_row_once_an_epoch_with_its_label(train, tokenizer, classifier, known):
    dataset = data.read(train, tokenizer, classifier(*known), batch_size=8)
    assert len(dataset) == 5
    for _ in range(2):
        rows = [
            (int(label), int(ids[1]), int(mask.sum()))
            for inputs, labels in dataset
            for ids, mask, label in zip(
                inputs["token_ids"].numpy(), inputs["padding_mask"].numpy(), labels.numpy(), strict=True
            )
        ]
        assert sorted(rows) == sorted((int(i < 20), 5 if i < 20 else 6, 3 + i % 7) for i in range(40))


def test_each_batch_is_padded_to_its_longest_row(train, tokenizer, classifier):
    for inputs, _ in data.read(train, tokenizer, classifier("0", "1"), batch_size=8):
        mask = inputs["padding_mask"].numpy()
        assert mask.shape[1] == mask.sum(axis=1).max()
        assert (inputs["token_ids"].numpy()[mask == 0] == tokenizer.pad_id).all()


def test_rows_are_shuffled_unless_told_otherwise(train, tokenizer, classifier):
    # 4.17: the file begins with all positives.
    labels = [batch.numpy().tolist() for _, batch in data.read(train, tokenizer, classifier("0", "1"), batch_size=10)]
    assert all(0 < sum(batch) < 10 for batch in labels)


def order(dataset):
    return [inputs["token_ids"].numpy().tolist() for inputs, _ in dataset]


def test_order_depends_on_seed_and_epoch_alone(train, tokenizer, classifier):
    # 4.15
    model = classifier("0", "1")
    first = data.read(train, tokenizer, model, batch_size=8, seed=7)
    zero, one = order(first), order(first)
    assert zero != one
    assert order(data.read(train, tokenizer, model, batch_size=8, seed=7)) == zero
    assert order(data.read(train, tokenizer, model, batch_size=8, seed=7, start_epoch=1)) == one
    assert order(data.read(train, tokenizer, model, batch_size=8, seed=7, start_epoch=1, skip_batches=2)) == one[2:]
    assert order(data.read(train, tokenizer, model, batch_size=8, seed=8)) != zero


def test_lengths_cause_no_new_traces(train, tokenizer, classifier):
    traces = []

    @tf.function
    def total(iterator):
        traces.append(1)
        inputs, labels = next(iterator)
        return tf.reduce_sum(inputs["token_ids"]) + tf.reduce_sum(labels)

    dataset = data.read(train, tokenizer, classifier("0", "1"), batch_size=8)
    iterator = iter(dataset)
    for _ in range(len(dataset)):
        total(iterator)
    assert len(traces) == 1
    inputs, labels = dataset.element_spec
    assert {spec.shape.as_list() == [None, None] and spec.dtype == tf.int32 for spec in inputs.values()} == {True}
    assert (labels.shape.as_list(), labels.dtype) == ([None], tf.int32)


def test_the_model_takes_its_batches(train, tokenizer, classifier):
    model = classifier("0", "1")
    inputs, labels = next(iter(data.read(train, tokenizer, model, batch_size=8)))
    assert model(inputs).shape == (8, 2)
    assert labels.shape == (8,)


def test_text_of_100000_words_is_cut(tmp_path, tokenizer, classifier):
    path = lines(tmp_path / "a.tsv", ("a", "good " * 100_000), ("b", "bad"))
    ((inputs, _),) = data.read(path, tokenizer, classifier("a", "b"), shuffle=False)
    assert inputs["token_ids"].shape == (2, 16)


def test_max_length_cuts(train, tokenizer, classifier):
    lengths = [x["token_ids"].shape[1] for x, _ in data.read(train, tokenizer, classifier("0", "1"), max_length=4)]
    assert max(lengths) == 4


def refused(source, tokenizer, model, **options):
    with pytest.raises(InputError) as error:
        data.read(source, tokenizer, model, **options)
    return str(error.value)


def test_max_length_over_the_position_table(train, tokenizer, classifier):
    # 3.07
    message = refused(train, tokenizer, classifier("0", "1"), max_length=17)
    assert message == "max_length is 17, but the model has 16 positions: use 16 or less"
    assert len(data.read(train, tokenizer, classifier("0", "1"), max_length=16)) == 2


def test_vocabulary_over_the_token_table(train, classifier):
    tokenizer = bk.Tokenizer.from_vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *map(str, range(16))])
    assert "21 entries, but the model's token table only 20" in refused(train, tokenizer, classifier("0", "1"))


def test_unknown_label_names_file_line_and_known_labels(tmp_path, tokenizer, classifier):
    path = lines(tmp_path / "a.tsv", ("yes", "good"), ("maybe", "bad"))
    message = refused(path, tokenizer, classifier("no", "yes"))
    assert message == f"{path}, line 3: the model does not know the label 'maybe'; it knows no, yes"


@pytest.mark.parametrize(
    ("known", "found"),
    [(["1", "2", "3"], "0"), (["no", "yes"], "2"), (["no", "yes"], "-1"), (["no", "yes"], "01")],
)
def test_numbers_that_are_neither_names_nor_indices(tmp_path, tokenizer, classifier, known, found):
    path = lines(tmp_path / "a.tsv", ("1", "good"), (found, "bad"))
    assert "the model does not know the label" in refused(path, tokenizer, classifier(*known))


def test_names_win_over_indices(tmp_path, tokenizer, classifier):
    path = lines(tmp_path / "a.tsv", ("1", "good"), ("0", "bad"))
    ((_, labels),) = data.read(path, tokenizer, classifier("1", "0"), shuffle=False)
    assert labels.numpy().tolist() == [0, 1]


def test_one_class_is_refused_for_training_only(tmp_path, tokenizer, classifier):
    path = lines(tmp_path / "a.tsv", ("yes", "good"), ("yes", "bad"))
    model = classifier("no", "yes")
    assert f"{path}: all 2 rows have the label 'yes'" in refused(path, tokenizer, model)
    assert len(data.read(path, tokenizer, model, shuffle=False)) == 1


def test_file_without_labels(tmp_path, tokenizer, classifier):
    path = tmp_path / "a.csv"
    path.write_text("text\ngood\n")
    assert "has no labels" in refused(path, tokenizer, classifier("no", "yes"))


def test_task_that_reads_no_file(train, tokenizer, encoder):
    assert "no file is read for feature-extraction" in refused(train, tokenizer, encoder)


@pytest.mark.parametrize("option", [{"batch_size": 0}, {"seed": -1}, {"start_epoch": -1}, {"skip_batches": -1}])
def test_numbers_out_of_range(train, tokenizer, classifier, option):
    (name,) = option
    assert f"{name} is {option[name]}" in refused(train, tokenizer, classifier("0", "1"), **option)


def test_real_sentiment_is_padded_little(real):
    tokenizer = bk.Tokenizer.from_folder(real / "minilm")
    rows = data.table(real / "sentiment" / "train.tsv")
    lengths = encode(tokenizer, rows.texts, max_length=64).lengths
    assert lengths.mean() == pytest.approx(27, abs=0.5)
    batches = batches_of_like_lengths(lengths, 32, seed=0, epoch=0)
    assert np.mean([lengths[batch].max() for batch in batches]) < 29


def test_texts_that_are_cut_are_counted(tmp_path, tokenizer, classifier, caplog):
    path = lines(tmp_path / "a.tsv", ("no", "bad film"), ("yes", "good film film film"))
    data.read(path, tokenizer, classifier("no", "yes"), batch_size=2, max_length=5)
    assert "1 of 2 texts fill all 5 tokens; what is longer is cut" in caplog.text


def test_texts_that_fit_are_not_spoken_of(tmp_path, tokenizer, classifier, caplog):
    path = lines(tmp_path / "a.tsv", ("no", "bad film"), ("yes", "good"))
    data.read(path, tokenizer, classifier("no", "yes"), batch_size=2, max_length=5)
    assert not caplog.text


@pytest.mark.parametrize(
    "task", [name for name, each in TASKS.items() if each.needs_pairs and each.examples == "texts"]
)
def test_single_texts_for_a_task_about_pairs(tmp_path, tokenizer, encoder, task):
    path = lines(tmp_path / "a.tsv", *zip(TASKS[task].labels, ("good", "bad"), strict=True))
    assert "is about two texts, and no column is read as the second" in refused(path, tokenizer, TASKS[task](encoder))


def test_numbers_without_a_usual_name_name_the_columns(tmp_path, tokenizer, encoder):
    path = tmp_path / "a.tsv"
    path.write_text("text\tgrade\ngood\t4.5\n")
    message = refused(path, tokenizer, TASKS["text-regression"](encoder, ["score"]))
    assert "has no labels" in message and "not read are 'grade'" in message
