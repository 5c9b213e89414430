"""From an encoder of another family to a phone's file, by commands alone: a family for each kind of tokenizer."""

import dataclasses

import keras
import numpy as np
import pytest
from cli.conftest import BAD, GOOD
from tiny import GOLDEN

import bert_keras as bk

SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 48,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "classifier_dropout": 0.0,
    "initializer_range": 0.2,
}
REPLACED = GOLDEN / "families" / "electra" / "replaced-token-detection"
# Family -> its kind of tokenizer and the pieces that the texts give of that kind.
KINDS = {"roberta-base": ("byte-level-bpe", 320), "deberta-v3-small": ("unigram", 85)}


@pytest.fixture(scope="module", params=KINDS)
def trained(request, bert_keras_command, train_file, tmp_path_factory):
    """A classifier's folder and what its training said."""
    folder = tmp_path_factory.mktemp("family")
    kind, size = KINDS[request.param]
    tokenizer = bk.Tokenizer.train(GOOD + BAD, size, kind=kind)
    config = dataclasses.replace(bk.config(request.param), vocab_size=size, pad_token_id=tokenizer.pad_id, **SIZES)
    keras.utils.set_random_seed(0)
    bk.save(bk.encoder(config), tokenizer, folder / "encoder")
    outcome = bert_keras_command(
        *("finetune", folder / "encoder", "--train", train_file, "--valid", train_file, "--out", folder / "model"),
        *("--epochs", 12, "--learning-rate", 1e-2, "--batch-size", 8, "--json"),
    )
    assert outcome.code == 0, outcome.stderr
    return folder / "model", outcome.facts


def test_training_learns(trained):
    assert trained[1]["validation"]["accuracy"] > 0.9


def test_exported_file_answers_like_the_model(trained, bert_keras_command, train_file, tmp_path):
    file = tmp_path / "model.tflite"

    exported = bert_keras_command(
        "export", trained[0], "--to", "tflite", "--out", file, "--check", train_file, "--json"
    )

    assert exported.code == 0, exported.stderr
    assert exported.facts["agreement"] >= 0.95
    ours, theirs = (bk.predictor(path)(GOOD[:3] + BAD[:3]) for path in (trained[0], file))
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(other["scores"]["good"], one["scores"]["good"], atol=0.1)


def test_export_of_a_task_without_answers_names_no_command(bert_keras_command, tmp_path):
    outcome = bert_keras_command("export", REPLACED, "--to", "saved-model", "--out", tmp_path / "saved")

    assert outcome.code == 0, outcome.stderr
    assert "saved" in outcome.stdout and "Next:" not in outcome.stdout
