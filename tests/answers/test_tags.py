"""Which words make an entity."""

import pytest

from bert_keras.answers.tags import entity_spans, tags_of


def spans(tags: str, labels: list[str] | None = None) -> list[tuple[str, int, int]]:
    """The entities of tags that are written with spaces between, of a model with these labels."""
    given = tags.split()
    labels = labels or [*dict.fromkeys(given)]
    known = dict(zip(labels, tags_of(labels), strict=True))
    return entity_spans([known[tag] for tag in given])


@pytest.mark.parametrize(
    ("tags", "expected"),
    # As seqeval 1.2.2's get_entities, whose ends are included.
    [
        ("B-X I-X O B-Y", [("X", 0, 2), ("Y", 3, 4)]),
        ("B-PER B-PER", [("PER", 0, 1), ("PER", 1, 2)]),
        ("I-X I-X", [("X", 0, 2)]),
        ("O I-X I-Y I-Y", [("X", 1, 2), ("Y", 2, 4)]),
        ("B-X O I-X", [("X", 0, 1), ("X", 2, 3)]),
        ("B-X I-X E-X S-X", [("X", 0, 3), ("X", 3, 4)]),
        ("E-X E-X I-X", [("X", 0, 1), ("X", 1, 2), ("X", 2, 3)]),
        ("S-X I-X E-X", [("X", 0, 1), ("X", 1, 3)]),
        ("B-X E-Y I-Y", [("X", 0, 1), ("Y", 1, 2), ("Y", 2, 3)]),
    ],
)
def test_entities_of_prefixed_tags(tags, expected):
    assert spans(tags) == expected


def test_other_letters_of_the_same_schemes():
    assert spans("B-X I-X L-X U-X") == [("X", 0, 3), ("X", 3, 4)]
    assert spans("B-X M-X E-X") == [("X", 0, 3)]


def test_types_may_hold_dashes():
    assert spans("B-work-of-art I-work-of-art O") == [("work-of-art", 0, 2)]


def test_other_labels_among_prefixed_ones_are_outside():
    assert spans("B-X X I-X [PAD]") == [("X", 0, 1), ("X", 2, 3)]


def test_bare_letters_have_one_type():
    assert spans("B I O B B") == [("entity", 0, 2), ("entity", 3, 4), ("entity", 4, 5)]


def test_equal_neighbours_are_one_entity_where_labels_have_no_letters():
    assert spans("PER PER LOC O PER") == [("PER", 0, 2), ("LOC", 2, 3), ("PER", 4, 5)]


def test_parts_of_speech_are_no_entities():
    assert spans("NOUN VERB NOUN", ["NOUN", "VERB", "X"]) == []
