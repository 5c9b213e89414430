"""Scores of entities; the comments give the seqeval calls with the same values."""

import pytest

from bert_keras import metrics
from bert_keras.errors import InputError

TRUE = [["O", "B-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O", "B-LOC"]]
FOUND = [["B-MISC", "I-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O", "B-PER"]]


def test_all_entities_and_each_type():
    # seqeval.metrics.classification_report(..., mode="strict", scheme=IOB2): 1 of 3 found, 1 of 3 true.
    scores = metrics.entities(TRUE, FOUND)
    assert (scores["precision"], scores["recall"], scores["f1"]) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert scores["support"] == 3
    assert scores["types"]["PER"] == pytest.approx({"precision": 0.5, "recall": 1.0, "f1": 2 / 3, "support": 1})
    assert scores["types"]["LOC"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "support": 1}
    assert list(scores["types"]) == ["LOC", "MISC", "PER"]


def test_i_after_nothing_counts_only_leniently():
    # chakki-works/seqeval#23: f1_score 1.0 by default, 0.0 with mode="strict", scheme=IOB2.
    assert metrics.entities([["B-X", "I-X"]], [["I-X", "I-X"]], strict=False)["f1"] == 1.0
    assert metrics.entities([["B-X", "I-X"]], [["I-X", "I-X"]])["f1"] == 0.0


def test_neighbours_of_one_type_are_two_entities():
    # huggingface/transformers#23322.
    assert metrics.entities([["B-PER", "B-PER"]], [["B-PER", "I-PER"]])["support"] == 2
    assert metrics.entities([["B-PER", "B-PER"]], [["B-PER", "I-PER"]])["f1"] == 0.0


def test_an_entity_past_what_the_model_saw_is_missed():
    # ThilinaRajapakse/simpletransformers#1279: 150 words, one entity seen, one at word 140 not.
    true = ["B-X"] + ["O"] * 139 + ["B-X"] + ["O"] * 9
    found = ["B-X"] + ["O"] * 149
    scores = metrics.entities([true], [found])
    assert (scores["support"], scores["recall"], scores["precision"]) == (2, 0.5, 1.0)


def test_an_entity_does_not_reach_into_the_next_sentence():
    scores = metrics.entities([["B-X"], ["I-X"]], [["B-X"], ["I-X"]], strict=False)
    assert scores["support"] == 2


def test_no_entities_at_all():
    assert metrics.entities([["O"]], [["O"]]) == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "support": 0, "types": {}}


def test_f1_alone():
    assert metrics.entity_f1(TRUE, FOUND) == pytest.approx(1 / 3)
    assert metrics.entity_f1([["B-X", "I-X"]], [["I-X", "I-X"]], strict=False) == 1.0


def test_what_cannot_be_scored():
    with pytest.raises(InputError, match="sentence 2 has 2 true tags and 1 predicted ones"):
        metrics.entities([["O"], ["O", "O"]], [["O"], ["O"]])
    with pytest.raises(InputError, match="sentence 1: word 2 has the tag 'S-X'"):
        metrics.entities([["O", "S-X"]], [["O", "O"]])
    with pytest.raises(InputError, match="nothing to score"):
        metrics.entities([], [])
