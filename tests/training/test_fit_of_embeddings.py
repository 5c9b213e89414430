"""A run of a model of embeddings, whose batches hold several texts an example, that is stopped inside an epoch."""

import keras
import numpy as np
import pytest
from tiny_training import new_model, tokenizer_of

import bert_keras as bk
from bert_keras.losses import InfoNce
from bert_keras.training import fit, recipe

ROWS = [
    ("anchor", "positive", "negative"),
    ("a film", "the film", "soup"),
    ("warm soup", "hot soup", "film"),
    ("red", "rose", "sea"),
    ("sky", "blue", "tea"),
]


class Stop(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        raise KeyboardInterrupt


def trained(file, folder, callbacks=()):
    """The weights after an epoch of two batches."""
    tokenizer = tokenizer_of(file)
    model = new_model("sentence-similarity", tokenizer)
    model.compile(**recipe(model, 1e-2, loss=InfoNce(negatives=1)))

    def dataset(epoch, done):
        return bk.data.read(file, tokenizer, model, 2, start_epoch=epoch, skip_batches=done)

    fit(model, dataset, 1, folder, callbacks=callbacks, verbose=0)
    return model.get_weights()


def test_a_stopped_run_ends_as_one_that_ran_through(tmp_path):
    file = tmp_path / "train.tsv"
    file.write_text("".join("\t".join(row) + "\n" for row in ROWS), encoding="utf-8")
    straight = trained(file, tmp_path / "straight")
    with pytest.raises(KeyboardInterrupt):
        trained(file, tmp_path / "stopped", [Stop()])
    resumed = trained(file, tmp_path / "stopped")
    for found, expected in zip(resumed, straight, strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-6)
