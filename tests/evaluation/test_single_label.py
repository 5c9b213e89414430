"""Scores of single labels; values of scikit-learn 1.9 where no calculation is shown."""

import pytest

from bert_keras.data import Rows
from bert_keras.errors import InputError
from bert_keras.evaluation import SCORES

score = SCORES["labels"]


def rows(labels, source="reviews.tsv", texts=None, pairs=None):
    texts = texts or [f"text {number}" for number in range(len(labels))]
    return Rows(source, texts, pairs, labels, range(2, len(labels) + 2))


def answer(label, known, sure=0.8):
    rest = (1 - sure) / (len(known) - 1)
    return {"label": label, "score": sure, "scores": {name: sure if name == label else rest for name in known}}


def answers(labels, known, sure=0.8):
    return [answer(label, known, sure) for label in labels]


TRUE = ["pos", "pos", "neg", "pos", "neg", "neg", "neg", "pos"]
GIVEN = ["pos", "neg", "neg", "pos", "neg", "pos", "neg", "pos"]


def test_metrics_are_those_of_scikit_learn():
    found = score(rows(TRUE), answers(GIVEN, ["neg", "pos"])).metrics
    assert list(found) == ["accuracy", "macro_f1", "f1", "matthews", "calibration_error"]
    # Confidence is 0.8 throughout, accuracy 0.75.
    assert list(found.values()) == pytest.approx([0.75, 0.75, 0.75, 0.5, 0.05])


def test_three_classes_have_no_binary_f1():
    true, given = list("abcabcc"), list("accbbca")
    found = score(rows(true), answers(given, list("abc"))).metrics
    assert [found[name] for name in ("accuracy", "macro_f1", "matthews")] == pytest.approx([4 / 7, 5 / 9, 0.34375])
    assert "f1" not in found


def test_f1_is_of_the_second_label():
    true, given = ["no", "no", "no", "yes"], ["no", "no", "yes", "yes"]
    assert score(rows(true), answers(given, ["no", "yes"])).metrics["f1"] == pytest.approx(2 / 3)
    assert score(rows(true), answers(given, ["yes", "no"])).metrics["f1"] == pytest.approx(4 / 5)


def test_glue_task_has_its_own_metrics_first_and_its_own_positive_label():
    # In alphabetical order, as in a model trained from a file, the paper's positive label is the first.
    known = ["equivalent", "not_equivalent"]
    true = ["equivalent", "equivalent", "equivalent", "not_equivalent"]
    given = ["equivalent", "equivalent", "not_equivalent", "not_equivalent"]
    found = score(rows(true, "tfds:glue/mrpc:validation"), answers(given, known))
    assert list(found.metrics)[:2] == ["accuracy", "f1"]
    assert found.metrics["f1"] == pytest.approx(4 / 5)
    assert "F1 is of the label 'equivalent'" in found.notes


def test_cola_is_scored_by_matthews_correlation():
    found = score(rows(TRUE, "tfds:glue/cola:validation"), answers(GIVEN, ["neg", "pos"]))
    assert found.main == "matthews"


def test_classes_and_confusion_are_in_the_order_of_the_model():
    found = score(rows(["b", "b", "a"]), answers(["b", "a", "a"], ["b", "a", "never"]))
    assert found.confusion == {"labels": ["b", "a", "never"], "matrix": [[1, 1, 0], [0, 1, 0], [0, 0, 0]]}
    assert list(found.classes) == ["b", "a"]
    assert found.classes["b"] == {"precision": 1.0, "recall": 0.5, "f1": pytest.approx(2 / 3), "support": 2}


def test_labels_of_a_file_may_be_numbers_of_the_models_labels():
    assert score(rows(["1", "0"]), answers(["pos", "pos"], ["neg", "pos"])).metrics["accuracy"] == 0.5


def test_mistakes_are_the_surest_first_with_their_lines():
    found = score(
        rows(["pos", "neg", "neg"], texts=["fine", "bad", "worse"], pairs=["1", "2", "3"]),
        [answer("pos", ["neg", "pos"]), answer("pos", ["neg", "pos"], 0.6), answer("pos", ["neg", "pos"], 0.9)],
    )
    assert [(each.text, each.pair, each.expected, each.predicted, each.score) for each in found.mistakes] == [
        ("worse", "3", "neg", "pos", 0.9),
        ("bad", "2", "neg", "pos", 0.6),
    ]
    assert found.mistakes[0].where == "reviews.tsv, line 4"


def test_reliability_sets_confidence_against_share_right():
    made = [answer("pos", ["neg", "pos"], sure) for sure in (0.9, 0.94, 0.62, 0.66)]
    found = score(rows(["pos", "pos", "neg", "pos"]), made)
    bins = [(each["confidence"], each["accuracy"], each["count"]) for each in found.reliability]
    assert bins == [(pytest.approx(0.64), 0.5, 2), (pytest.approx(0.9), 1, 1), (pytest.approx(0.94), 1, 1)]


def test_probability_above_one_by_rounding_is_one():
    assert score(rows(["a", "b"]), answers(["a", "b"], ["a", "b"], 1.0000001)).metrics["calibration_error"] == 0


def test_lengths_say_where_the_errors_are():
    texts = ["one"] * 10 + ["one two three four"] * 10
    true = ["pos"] * 20
    given = ["pos"] * 10 + ["neg"] * 5 + ["pos"] * 5
    found = score(rows(true, texts=texts), answers(given, ["neg", "pos"]))
    assert [(each.shortest, each.longest, each.count, each.error) for each in found.lengths] == [
        (1, 1, 10, 0.0),
        (4, 4, 10, 0.5),
    ]
    assert found.length_unit == "words"


def test_texts_without_spaces_are_measured_in_characters():
    texts = ["这部电影非常好看我很喜欢它的故事和演员"] * 3
    assert score(rows(["pos"] * 3, texts=texts), answers(["pos"] * 3, ["neg", "pos"])).length_unit == "characters"


def test_notes_name_what_the_most_frequent_label_would_give():
    found = score(rows(["pos", "pos", "pos", "neg"]), answers(["pos"] * 4, ["neg", "pos", "other"]))
    assert "always answering 'pos', the most frequent label, gives an accuracy of 0.7500" in found.notes
    assert "no example has the label 'other'" in found.notes


def test_notes_say_that_there_is_one_class_only():
    found = score(rows(["pos"] * 5), answers(["pos"] * 5, ["neg", "pos"]))
    assert found.notes[0].startswith("all 5 examples have one class, 'pos'")


def test_interval_of_all_right_is_not_a_point():
    # Wilson's interval of 10 of 10.
    found = score(rows(["a", "b"] * 5), answers(["a", "b"] * 5, ["a", "b"]))
    assert found.intervals["accuracy"] == (pytest.approx(0.7225, abs=1e-4), 1.0)


def test_unknown_label_is_named_with_its_line():
    with pytest.raises(InputError, match=r"reviews\.tsv, line 3: the model does not know the label 'meh'"):
        score(rows(["pos", "meh"]), answers(["pos", "pos"], ["neg", "pos"]))


def test_answers_must_be_as_many_as_examples():
    with pytest.raises(InputError, match=r"reviews\.tsv: there are 2 examples and 1 answers"):
        score(rows(["pos", "neg"]), answers(["pos"], ["neg", "pos"]))
