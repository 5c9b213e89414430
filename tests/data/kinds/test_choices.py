"""Choices as batches, and a model that learns them."""

import json

import numpy as np
import pytest
from tiny_text import MAX_LENGTH, VOCABULARY
from tiny_text import tokenizer as tiny_tokenizer
from tiny_training import new_encoder

from bert_keras import data
from bert_keras.errors import InputError
from bert_keras.evaluation import SCORES
from bert_keras.export import ModelPredictor
from bert_keras.losses import MeanCrossEntropy
from bert_keras.tasks import multiple_choice
from bert_keras.training import recipe

EPOCHS = 5


@pytest.fixture
def uneven(write):
    rows = [
        {"prompt": "good", "choices": ["film", "bad film"], "label": 1},
        {"prompt": "bad", "choices": ["good", "good film", "very"], "label": 0},
    ]
    return write("a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def test_batches_are_filled_up_with_choices_without_a_token(uneven, tokenizer, encoder):
    ((inputs, labels),) = data.read(uneven, tokenizer, multiple_choice(encoder), shuffle=False)
    assert inputs["token_ids"].numpy().tolist() == [
        [[2, 5, 3, 7, 3, 0], [2, 5, 3, 6, 7, 3], [0] * 6],
        [[2, 6, 3, 5, 3, 0], [2, 6, 3, 5, 7, 3], [2, 6, 3, 8, 3, 0]],
    ]
    assert inputs["segment_ids"].numpy()[0].tolist() == [[0, 0, 0, 1, 1, 0], [0, 0, 0, 1, 1, 1], [0] * 6]
    assert inputs["padding_mask"].numpy()[0].tolist() == [[1, 1, 1, 1, 1, 0], [1] * 6, [0] * 6]
    assert labels.numpy().tolist() == [1, 0]


def test_a_choice_without_a_token_neither_wins_nor_trains(uneven, tokenizer, encoder):
    made = multiple_choice(encoder)
    (inputs, labels), *_ = data.read(uneven, tokenizer, made, shuffle=False)
    alone = {name: values[:1, :2] for name, values in inputs.items()}
    filled = {name: values[:1] for name, values in inputs.items()}
    np.testing.assert_allclose(made(filled)[:, :2], made(alone), atol=1e-6)
    assert np.argmax(made(filled)) < 2
    loss = MeanCrossEntropy()
    assert float(loss(labels[:1], made(filled))) == pytest.approx(float(loss(labels[:1], made(alone))), abs=1e-6)


def test_right_choices_are_needed_to_train(write, tokenizer, encoder):
    path = write("a.jsonl", json.dumps({"prompt": "good", "choices": ["film", "bad"]}))
    with pytest.raises(InputError, match=r"a\.jsonl does not say which choice is right"):
        data.read(path, tokenizer, multiple_choice(encoder))


def test_a_few_dozen_prompts_are_learned():
    # One of two or three choices is good.
    random = np.random.default_rng(0)
    prompts, choices, labels = [], [], []
    for number in range(32):
        letters = random.permutation(list("abcdef"))[: 2 + number % 2]
        labels.append(int(random.integers(len(letters))))
        prompts.append(f"the film {number}")
        choices.append([f"{each} was {'good' if place == labels[-1] else 'bad'}" for place, each in enumerate(letters)])
    rows = data.Choices("made", prompts, choices, labels, range(1, 33), "row")
    made = multiple_choice(new_encoder(VOCABULARY, MAX_LENGTH, width=32, layers=2, heads=4))
    batches = data.read(rows, tiny_tokenizer(), made, 8)
    made.compile(**recipe(made, 5e-3, EPOCHS * len(batches)))
    made.fit(batches, epochs=EPOCHS, verbose=0, shuffle=False)
    answers = ModelPredictor(made, tiny_tokenizer())(rows.texts, rows.pairs)
    assert SCORES["choices"](rows, answers).metrics["accuracy"] == 1
