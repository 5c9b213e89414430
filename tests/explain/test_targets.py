"""What of an answer is explained."""

import numpy as np
import pytest
import tiny_text
from tiny import outputs

from bert_keras.errors import InputError
from bert_keras.explain import targets
from bert_keras.explain.targets import best_span, target_of
from bert_keras.tasks import TASKS

TAGS = ["O", "B-PER", "I-PER"]


def softmax(logits):
    return np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)


def target(model, text, pair=None, wanted=None):
    return target_of(model, tiny_text.tokenizer(), text, pair, wanted)


@pytest.fixture(scope="module")
def classifier():
    return tiny_text.model()


@pytest.fixture(scope="module")
def tagger():
    return tiny_text.model("token-classification", labels=TAGS)


@pytest.fixture(scope="module")
def reader():
    return tiny_text.model("question-answering")


def test_the_predicted_label_is_the_default(classifier):
    scores = softmax(outputs(classifier, tiny_text.tokenizer()(["the film"]))[0])
    found = target(classifier, "the film")

    assert found.name == ["negative", "positive"][scores.argmax()]
    assert found.score == pytest.approx(scores.max(), abs=1e-6)


def test_another_label_has_its_own_logit(classifier):
    logits = outputs(classifier, tiny_text.tokenizer()(["the film"]))
    found = [target(classifier, "the film", wanted=label) for label in ("negative", "positive")]

    assert [float(one.value(logits)[0]) for one in found] == logits[0].tolist()
    assert sum(one.score for one in found) == pytest.approx(1)


def test_an_unknown_label_is_answered_with_those_that_are(classifier):
    with pytest.raises(InputError, match="'sad'; known are negative, positive"):
        target(classifier, "the film", wanted="sad")


@pytest.mark.parametrize(
    ("kind", "score"), [("multi-label", lambda logit: 1 / (1 + np.exp(-logit))), ("number", lambda logit: logit)]
)
def test_a_label_beside_others_has_its_own_score(classifier, monkeypatch, kind, score):
    monkeypatch.setitem(targets.TARGETS, "text-classification", targets.BY_KIND[kind])
    logits = outputs(classifier, tiny_text.tokenizer()(["the film"]))
    found = target(classifier, "the film", wanted="positive")

    assert found.name == "positive"
    assert found.score == pytest.approx(score(logits[0, 1]), abs=1e-6)
    assert float(found.value(logits)[0]) == logits[0, 1]


def test_every_answer_of_a_task_can_be_explained():
    kinds = {task.answer for task in TASKS.values()} - {None, "features"}

    assert kinds <= targets.BY_KIND.keys()


def test_next_sentences_have_names():
    found = target(tiny_text.model("next-sentence-prediction"), "the film", "was good", "not_next")

    assert found.name == "not_next"


def test_the_surest_entity_is_the_default(tagger):
    text = "the films was good"
    scores = softmax(outputs(tagger, tiny_text.tokenizer()([text]))[0])[[1, 2, 4, 5]]  # first pieces of the words
    said = [word for word in range(4) if scores[word].argmax() > 0]
    best = max(said, key=lambda word: scores[word].max())
    found = target(tagger, text)

    assert len(said) > 0
    assert found.name == f"{text.split()[best]}: {TAGS[scores[best].argmax()]}"
    assert found.score == pytest.approx(scores[best].max(), abs=1e-6)


def test_a_word_is_explained_by_its_first_piece(tagger):
    logits = outputs(tagger, tiny_text.tokenizer()(["the films was"]))
    found = target(tagger, "the films was", wanted=(2, "I-PER"))

    assert found.name == "was: I-PER"
    assert float(found.value(logits)[0]) == logits[0, 4, 2]


@pytest.mark.parametrize("wanted", [(3, "O"), (-1, "O"), "O", (0, "B-LOC")])
def test_a_word_or_tag_that_is_not_there(tagger, wanted):
    with pytest.raises(InputError, match="the target is"):
        target(tagger, "the films was", wanted=wanted)


def test_a_span_never_ends_before_it_begins():
    # meta-pytorch/captum#684: the two best by themselves are 3 and 1, no span.
    start, end = np.array([1, 0, 2, 5.0]), np.array([0, 4.5, 3, 1])

    assert best_span(start, end, 0, 3) == (3, 3)
    assert best_span(start, end, 0, 2) == (0, 1)


def test_a_span_is_at_most_thirty_tokens():
    start, end = np.zeros(40), np.zeros(40)
    start[0], end[[29, 30]] = 5, [6, 9]

    assert best_span(start, end, 0, 39) == (0, 29)


def test_an_answer_is_a_part_of_the_text(reader):
    context = "the  film\twas good"
    found = target(reader, "bad", context)

    assert found.name in context and found.name


def test_a_wanted_span_is_widened_to_its_pieces(reader):
    logits = outputs(reader, tiny_text.tokenizer()(["bad"], ["the films was"]))
    found = target(reader, "bad", "the films was", (5, 11))

    assert found.name == "films was"
    assert float(found.value(logits)[0]) == pytest.approx(logits["start_logits"][0, 4] + logits["end_logits"][0, 6])


def test_a_span_outside_of_the_text(reader):
    with pytest.raises(InputError, match="no piece from 50 to 60"):
        target(reader, "bad", "the films was", (50, 60))


@pytest.mark.parametrize("task", ["question-answering", "next-sentence-prediction"])
def test_a_second_text_is_asked_for(task):
    with pytest.raises(InputError, match=f"a model for {task} reads two texts: give the second one as pair"):
        target(tiny_text.model(task), "bad")


def test_the_first_mask_is_explained():
    model = tiny_text.model("fill-mask")
    found = target(model, "the [MASK] was [MASK]", wanted="film")
    logits = outputs(model, {**found.inputs, "masked_positions": np.array([[2, 4]], "int32")})

    assert found.inputs["masked_positions"].tolist() == [[2]]
    assert found.score == pytest.approx(softmax(logits[0, 0])[tiny_text.VOCABULARY.index("film")], abs=1e-6)


def test_a_text_without_a_mask():
    with pytest.raises(InputError, match=r"the text has no \[MASK\]"):
        target(tiny_text.model("fill-mask"), "the film")


def test_a_choice_is_scored_among_all():
    model, choices = tiny_text.model("multiple-choice"), ["was good", "bad", "film film"]
    rows = tiny_text.tokenizer()(["the"] * 3, choices)
    scores = softmax(outputs(model, {name: array[None] for name, array in rows.items()})[0])
    found = [target(model, "the", choices, number) for number in range(3)]

    assert [one.score for one in found] == pytest.approx(scores.tolist(), abs=1e-6)
    assert [one.reading.texts[1] for one in found] == choices
    assert target(model, "the", choices).name == f"{scores.argmax()}: {choices[scores.argmax()]}"


@pytest.mark.parametrize(("choices", "wanted"), [("one text", None), (["one"], None), (["a", "b"], 2)])
def test_choices_that_are_none(choices, wanted):
    with pytest.raises(InputError, match=r"the choices (are|have)"):
        target(tiny_text.model("multiple-choice"), "the", choices, wanted)


def test_likeness_is_the_cosine():
    model = tiny_text.model("sentence-similarity")
    one, other = outputs(model, tiny_text.tokenizer()(["the film", "was bad"]))

    assert target(model, "the film", "was bad").score == pytest.approx(float(one @ other), abs=1e-6)
    assert target(model, "the film", "the film").score == pytest.approx(1, abs=1e-6)


def test_likeness_needs_a_second_text():
    with pytest.raises(InputError, match="give the other one as pair"):
        target(tiny_text.model("sentence-similarity"), "the film")


def test_the_likeliest_replaced_word_is_the_default():
    model = tiny_text.model("replaced-token-detection")
    logits = outputs(model, tiny_text.tokenizer()(["the film was"]))[0, 1:4]
    found = target(model, "the film was")

    assert found.name == f"{['the', 'film', 'was'][logits.argmax()]}: replaced"
    assert found.score == pytest.approx(1 / (1 + np.exp(-logits.max())), abs=1e-6)


def test_a_word_that_is_dropped_cannot_be_explained(tagger):
    with pytest.raises(InputError, match=r"word 24, 'film', of which the model reads nothing"):
        target(tagger, "film " * 25, wanted=(24, "O"))


def test_an_encoder_gives_no_answer():
    with pytest.raises(InputError, match="a model for feature-extraction gives no answer"):
        target(tiny_text.model("feature-extraction"), "the film")


def test_a_text_that_is_no_string(classifier):
    with pytest.raises(InputError, match="text is 3"):
        target(classifier, 3)
