"""Tag schemes: the same entities written in each, and what is wrong where."""

import pytest

from bert_keras import metrics
from bert_keras.errors import InputError

IOB2 = [["B-PER", "I-PER", "B-PER", "O"], ["B-LOC", "B-PER"], [], ["O", "B-LOC", "I-LOC", "I-LOC"]]
SAME = {
    "IOB2": IOB2,
    "IOB1": [["I-PER", "I-PER", "B-PER", "O"], ["I-LOC", "I-PER"], [], ["O", "I-LOC", "I-LOC", "I-LOC"]],
    "BIOES": [["B-PER", "E-PER", "S-PER", "O"], ["S-LOC", "S-PER"], [], ["O", "B-LOC", "I-LOC", "E-LOC"]],
    "BILOU": [["B-PER", "L-PER", "U-PER", "O"], ["U-LOC", "U-PER"], [], ["O", "B-LOC", "I-LOC", "L-LOC"]],
}


@pytest.mark.parametrize("scheme", SAME)
def test_schemes_are_told_and_translated(scheme):
    assert metrics.tag_scheme(SAME[scheme]) == scheme
    assert metrics.to_iob2(SAME[scheme]) == IOB2
    assert metrics.to_iob2(SAME[scheme], scheme) == IOB2


def test_every_scheme_is_tried_here():
    assert SAME.keys() == set(metrics.SCHEMES)


def test_tags_without_entities_are_iob2():
    assert metrics.tag_scheme([["O", "O"], []]) == "IOB2"


def test_tags_without_types():
    assert metrics.to_iob2([["I", "I", "O", "I"]]) == [["B", "I", "O", "B"]]


@pytest.mark.parametrize("tags", [["NOUN", "VERB"], ["N", "O", "V", "B", "L"], ["-LRB-", "NN-X"]])
def test_plain_labels_are_no_scheme(tags):
    assert metrics.tag_scheme([tags]) is None
    with pytest.raises(InputError, match="mark no entities"):
        metrics.to_iob2([tags])


def test_types_keep_their_hyphens():
    assert metrics.to_iob2([["S-GPE-CITY", "O"]]) == [["B-GPE-CITY", "O"]]
    assert metrics.tag_spans(["B-GPE-CITY"]) == [("GPE-CITY", 0, 1)]


@pytest.mark.parametrize(
    ("scheme", "tags", "message"),
    [
        ("IOB2", ["O", "I-PER"], "sentence 2, word 2: 'I-PER' follows 'O', and in IOB2 an entity begins with 'B-PER'"),
        ("IOB2", ["B-LOC", "I-PER"], "word 2: 'I-PER' follows 'B-LOC'"),
        ("IOB1", ["O", "B-PER"], "word 2: 'B-PER' follows 'O', and in IOB1 an entity there begins with 'I-PER'"),
        ("IOB2", ["O", "PER"], "word 2: 'PER' is no tag of IOB2: its tags are O, B-type and I-type"),
        ("IOB2", ["O-PER"], "'O-PER' is no tag"),
        ("IOB2", [""], "'' is no tag"),
        ("BIOES", ["B-PER", "O"], "word 1: 'B-PER' is the last word of its entity, which in BIOES is tagged 'S-PER'"),
        ("BIOES", ["B-PER", "I-PER"], "word 2: 'I-PER' is the last word of its entity, .* tagged 'E-PER'"),
        ("BILOU", ["O", "L-PER"], "word 2: 'L-PER' follows 'O', and in BILOU it goes on what 'B-PER' began"),
        ("BIOES", ["B-PER", "E-LOC"], "word 1: 'B-PER' is the last word"),
        ("BIOES", ["U-PER"], "'U-PER' is no tag of BIOES"),
    ],
)
def test_wrong_tags_are_named_with_their_place(scheme, tags, message):
    with pytest.raises(InputError, match=message):
        metrics.to_iob2([["O"], tags], scheme)


def test_a_tag_of_no_scheme_is_named():
    with pytest.raises(InputError, match=r"^sentence 1, word 2: 'PER' is no tag of entities"):
        metrics.to_iob2([["B-PER", "PER"]])


def test_mixed_schemes_are_named_with_a_place_for_each():
    with pytest.raises(InputError, match=r"neither IOB2 \(sentence 1, word 1: .*\) nor IOB1 \(sentence 2, word 1: "):
        metrics.to_iob2([["I-PER"], ["B-PER"]])
    with pytest.raises(InputError, match=r"mix BIOES \(sentence 2, word 1\) and BILOU \(sentence 1, word 1\)"):
        metrics.to_iob2([["U-PER"], ["S-PER"]])


def test_places_may_be_called_otherwise():
    with pytest.raises(InputError, match=r"^line 7: 'E-X' follows 'O'"):
        metrics.to_iob2([["O", "E-X"]], where=lambda sentence, word: f"line {6 + sentence + word}")


def test_there_is_no_other_scheme():
    with pytest.raises(InputError, match="no scheme 'IOBES': choose one of IOB1, IOB2, BIOES, BILOU"):
        metrics.to_iob2([["O"]], "IOBES")


@pytest.mark.parametrize(
    ("tags", "strict", "lenient"),
    [
        (["B-X", "I-X", "O"], [("X", 0, 2)], [("X", 0, 2)]),
        (["B-X", "B-X"], [("X", 0, 1), ("X", 1, 2)], [("X", 0, 1), ("X", 1, 2)]),
        (["I-X", "I-X"], [], [("X", 0, 2)]),
        (["B-X", "I-Y", "I-X"], [("X", 0, 1)], [("X", 0, 1), ("Y", 1, 2), ("X", 2, 3)]),
        (["O", "I-X", "B-X"], [("X", 2, 3)], [("X", 1, 2), ("X", 2, 3)]),
        ([], [], []),
    ],
)
def test_spans(tags, strict, lenient):
    assert metrics.tag_spans(tags) == strict
    assert metrics.tag_spans(tags, strict=False) == lenient


def test_spans_need_iob2():
    with pytest.raises(InputError, match="word 2 has the tag 'E-X': IOB2 tags are"):
        metrics.tag_spans(["B-X", "E-X"])
