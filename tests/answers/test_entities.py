"""Entities and the labels of words, from probabilities that are made up."""

import numpy as np
import pytest
from text.awkward import STRINGS, fuzzed
from text.tiny_tokenizers import KINDS, tokenizer, wordpiece

from bert_keras.answers.entities import Entities
from bert_keras.errors import InputError

LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]


def make(made=None, labels=LABELS, max_length=128) -> Entities:
    return Entities(made or tokenizer("wordpiece"), {"labels": labels, "max_length": max_length})


def answer(entities: Entities, text, labels: dict, score=0.8, other="O") -> dict:
    """The answer where the model gives a label, with a score, to each piece that stands for the text of a key."""
    rows = entities.rows([text], None)
    given = text if isinstance(text, str) else " ".join(text)
    outputs = []
    for row in rows:
        rest = (1 - score) / (len(entities.labels) - 1)
        probabilities = np.full((len(row), len(entities.labels)), rest, np.float32)
        for position, (start, end) in enumerate(zip(row.starts, row.ends, strict=True)):
            label = labels.get(given[start:end].strip(), other) if start >= 0 else other
            probabilities[position, entities.labels.index(label)] = score
        outputs.append({"probabilities": probabilities})
    return entities.answer(text, None, rows, outputs)


def test_an_entity_is_from_its_first_word_to_its_last():
    text = "in New  York\tCity, ok"
    labels = {"new": "B-LOC", "york": "I-LOC", "city": "I-LOC"}
    made = make(wordpiece("in", "new", "york", "city", "ok"))
    found = answer(made, text, {word.title(): label for word, label in labels.items()})
    assert [(e["label"], e["start"], e["end"], e["text"]) for e in found["entities"]] == [
        ("LOC", 3, 17, "New  York\tCity")
    ]
    assert [word["label"] for word in found["words"]] == ["O", "B-LOC", "I-LOC", "I-LOC", "O", "O"]
    assert [word["text"] for word in found["words"]] == ["in", "New", "York", "City", ",", "ok"]


def test_neighbours_that_both_begin_are_two_entities():
    found = answer(make(wordpiece("ann", "bob")), ["Ann", "Bob"], {"Ann": "B-PER", "Bob": "B-PER"})
    assert [entity["text"] for entity in found["entities"]] == ["Ann", "Bob"]


def test_places_are_those_of_the_text_as_given():
    # FARM#549: in the text joined again, it would be 4.
    found = answer(make(), "A  B\r\n\tC", {"C": "B-LOC"})
    assert found["entities"] == [
        {"label": "LOC", "score": pytest.approx(0.8), "start": 7, "end": 8, "text": "C"},
    ]


def test_a_word_has_the_label_of_its_first_piece():
    made = make(wordpiece("wash", "##ing", "##ton"))
    found = answer(made, "Washington", {"Wash": "B-LOC", "ing": "B-PER", "ton": "O"})
    assert [word["label"] for word in found["words"]] == ["B-LOC"]
    assert [entity["text"] for entity in found["entities"]] == ["Washington"]


def test_a_long_sentence_has_a_label_for_each_word():
    words = ["abc"] * 140 + ["xyz"] + ["abc"] * 9
    made = make(wordpiece("xyz"))
    assert len(made.rows([words], None)) > 1
    found = answer(made, words, {"xyz": "B-PER"})
    assert len(found["words"]) == 150
    assert [(entity["label"], entity["start"]) for entity in found["entities"]] == [("PER", 140 * 4)]


def test_a_word_in_two_windows_is_answered_by_the_one_with_most_around_it():
    # Windows of the pieces 0-3, 3-6, 6-8: `g` is the last of the second and the first of the third.
    made = make(max_length=6)
    rows = made.rows(["a b c d e f g h i"], None)
    outputs = [
        {"probabilities": np.eye(5)[np.full(len(row), label)]} for row, label in zip(rows, (1, 3, 0), strict=True)
    ]
    found = made.answer("a b c d e f g h i", None, rows, outputs)
    assert [word["label"] for word in found["words"]] == ["B-PER"] * 4 + ["B-LOC"] * 3 + ["O"] * 2


def test_scores_are_the_labels_own_and_an_entity_has_their_mean():
    made = make()
    rows = made.rows([["a", "b", "c"]], None)
    probabilities = np.array(
        [
            *([0.1, 0.1, 0.6, 0.1, 0.1], [0.1, 0.75, 0.05, 0.05, 0.05], [0.2, 0.1, 0.45, 0.15, 0.1]),
            *([0.9, 0.1, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0]),
        ],
        np.float32,
    )
    found = made.answer(["a", "b", "c"], None, rows, [{"probabilities": probabilities}])
    assert [word["score"] for word in found["words"]] == pytest.approx([0.75, 0.45, 0.9])
    assert [(e["score"], e["text"]) for e in found["entities"]] == [(pytest.approx(0.6), "a b")]
    assert type(found["entities"][0]["score"]) is float


def test_words_without_pieces_are_outside_with_no_score():
    found = answer(make(), ["a", "\u200b", "", "b"], {}, other="B-LOC")
    assert [(word["label"], word["score"]) for word in found["words"][1:3]] == [("O", 0.0)] * 2
    assert [entity["text"] for entity in found["entities"]] == ["a", "b"]


def test_words_of_one_piece_are_one_entity():
    found = answer(make(tokenizer("byte-level-bpe")), "so...", {"...": "B-PER"})
    assert [word["label"] for word in found["words"]] == ["O"] + ["B-PER"] * 3
    assert [entity["text"] for entity in found["entities"]] == ["..."]


def test_parts_of_speech_label_words_without_entities():
    found = answer(make(labels=["NOUN", "VERB"]), "a b", {"b": "VERB"}, other="NOUN")
    assert [word["label"] for word in found["words"]] == ["NOUN", "VERB"]
    assert found["entities"] == []


@pytest.mark.parametrize("text", ["", " \r\n", []])
def test_texts_without_words(text):
    assert answer(make(), text, {}) == {"entities": [], "words": []}


def test_pairs_are_refused():
    with pytest.raises(InputError, match="pairs are given, but a model for token classification labels the words of"):
        make().check(["a"], ["b"])


def test_one_text_is_no_list():
    with pytest.raises(InputError, match="texts is one text; pass a list of texts"):
        make().check("a text", None)


def test_what_is_neither_text_nor_words_is_named():
    with pytest.raises(InputError, match=r"texts\[1\] is 5; it must be a text or a list of words"):
        make().check(["a", 5], None)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_shown_is_what_stands_in_the_text(kind):
    random = np.random.default_rng(5)
    made = make(tokenizer(kind), max_length=9)
    texts = [
        *STRINGS,
        *fuzzed(seed=12, count=150),
        "a\ud800b \udfff",
        "\u05e9\u05dc\u05d5\u05dd\u200f (\u0639\u0631\u0628)",
    ]
    shown = 0
    for text in [*texts, *(text.split(" ") for text in texts)]:
        rows = made.rows([text], None)
        outputs = [{"probabilities": random.dirichlet(np.ones(5), len(row)).astype(np.float32)} for row in rows]
        found = made.answer(text, None, rows, outputs)
        whole = text if isinstance(text, str) else " ".join(text)
        for span in found["entities"] + found["words"]:
            assert whole[span["start"] : span["end"]] == span["text"]
        if isinstance(text, str):
            assert all(span["text"] and span["text"] == span["text"].strip() for span in found["entities"])
        else:
            assert [word["text"] for word in found["words"]] == text
        shown += len(found["entities"])
    assert shown > 500
