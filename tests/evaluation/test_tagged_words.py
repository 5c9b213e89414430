"""Scores of tags; values of seqeval 1.2.2 (strict: mode="strict", scheme=IOB2)."""

import numpy as np
import pytest

from bert_keras.answers.tags import entity_spans, tags_of
from bert_keras.data import Tagged
from bert_keras.errors import InputError
from bert_keras.evaluation import SCORES

TRUE = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORG", "O"]]
GIVEN = [["I-PER", "I-PER", "O", "B-LOC"], ["B-ORG", "I-ORG", "O"]]
WORDS = [["Ada", "Lovelace", "in", "London"], ["at", "IBM", "."]]


def tagged(tags, words=WORDS, plain=False, originals=None):
    bounds = []
    for row, sentence in enumerate(words):
        ends = [len(" ".join(sentence[: place + 1])) for place in range(len(sentence))]
        text = originals[row] if originals else " ".join(sentence)
        starts = [text.index(word, end - len(word)) for word, end in zip(sentence, ends, strict=True)]
        bounds.append([(start, start + len(word)) for start, word in zip(starts, sentence, strict=True)])
    lines = range(1, 10 * len(words), 10)
    return Tagged("news.conll", words, tags, lines, "line", originals, bounds, plain)


def answers(tags, sure=0.9):
    return [{"words": [{"label": tag, "score": sure} for tag in sentence]} for sentence in tags]


def evaluated(true=TRUE, given=GIVEN, **settings):
    return SCORES["entities"](tagged(true, **settings), answers(given))


def test_strict_and_lenient_f1_are_those_of_seqeval():
    found = evaluated().metrics
    assert found["f1"] == pytest.approx(0.4)
    assert found["lenient_f1"] == pytest.approx(2 / 3)
    assert (found["precision"], found["recall"]) == (0.5, pytest.approx(1 / 3))


def test_each_type_has_its_strict_scores():
    found = evaluated().classes
    assert found["LOC"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0, "support": 1}
    assert found["PER"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "support": 1}


def test_share_of_words_with_the_right_tag():
    assert evaluated().metrics["word_accuracy"] == pytest.approx(4 / 7)


@pytest.mark.parametrize("scheme", [["B-PER", "E-PER", "O", "S-LOC"], ["B-PER", "L-PER", "O", "U-LOC"]])
def test_models_tags_may_be_of_another_scheme(scheme):
    assert evaluated(TRUE, [scheme, TRUE[1]]).metrics["f1"] == 1


@pytest.mark.parametrize("labels", ["B-X I-X B-Y I-Y O", "B-X I-X E-X S-X E-Y O", "B-X M-X L-X U-X U-Y O [PAD]"])
def test_entities_are_those_that_predictors_answer(labels):
    known = labels.split()
    sentences = np.random.default_rng(0).choice(known, (20, 12)).tolist()
    words = [[f"w{place}" for place in range(12)] for _ in sentences]

    found = evaluated([["O"] * 12 for _ in sentences], sentences, words=words).predicted

    tags = dict(zip(known, tags_of(known), strict=True))
    assert found == [frozenset(entity_spans([tags[tag] for tag in sentence])) for sentence in sentences]


def test_labels_beside_letters_are_in_no_entity():
    # A tagger's own labels of what is no word, such as X and [SEP].
    assert evaluated(TRUE, [["B-PER", "I-PER", "X", "B-LOC"], ["[SEP]", "B-ORG", "X"]]).metrics["lenient_f1"] == 1


def test_tags_without_letters_are_types():
    found = evaluated(TRUE, [["PER", "PER", "O", "LOC"], ["O", "ORG", "O"]])
    assert found.metrics["lenient_f1"] == 1
    assert found.notes == ["many entities do not begin with B-: strict F1 does not count them, lenient F1 does"]


def test_mistake_marks_spans_of_the_text():
    found = evaluated().mistakes[0]
    assert found.text == "at IBM ."
    assert [found.text[span.start : span.end] for span in found.gold] == ["IBM"]
    assert [found.text[span.start : span.end] for span in found.found] == ["at IBM"]
    assert (found.expected, found.predicted, found.score) == ("ORG IBM", "ORG at IBM", 2)
    assert found.where == "news.conll, line 11"


def test_mistake_of_a_text_shows_the_text_itself():
    text = "IBM,\tat  Paris"
    found = evaluated(
        [["B-ORG", "O", "B-LOC"]], [["O", "O", "B-LOC"]], words=[["IBM,", "at", "Paris"]], originals=[text]
    )
    (mistake,) = found.mistakes
    assert mistake.text == text
    assert [(span.label, text[span.start : span.end]) for span in mistake.found] == [("LOC", "Paris")]


def test_words_of_each_type_are_counted_by_the_type_they_get():
    found = evaluated().confusion
    assert found["labels"] == ["O", "LOC", "ORG", "PER"]
    assert found["matrix"] == [[2, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]]


def test_plain_tags_are_scored_word_by_word():
    found = evaluated(
        [["NOUN", "NOUN", "ADP", "NOUN"], ["ADP", "NOUN", "X"]],
        [["NOUN", "ADP", "ADP", "NOUN"], ["ADP", "NOUN", "X"]],
        plain=True,
    )
    assert found.main == "accuracy"
    assert found.metrics["accuracy"] == pytest.approx(6 / 7)
    assert found.classes["ADP"] == {"precision": pytest.approx(2 / 3), "recall": 1.0, "f1": 0.8, "support": 2}
    assert [(span.label, found.mistakes[0].text[span.start : span.end]) for span in found.mistakes[0].gold] == [
        ("NOUN", "Lovelace")
    ]


def test_data_without_entities_are_noted():
    found = evaluated([["O"] * 4, ["O"] * 3], [["O"] * 4, ["O"] * 3])
    assert found.notes == ["no example has an entity: F1 is 0 whatever the model does"]
    assert found.reliability is None


def test_every_word_needs_an_answer():
    with pytest.raises(InputError, match=r"news\.conll, line 11: 3 words have 2 answers"):
        evaluated(TRUE, [GIVEN[0], ["O", "O"]])
