"""Tiny models and data for training."""

import functools

import keras
import numpy as np
import tensorflow as tf

import bert_keras as bk
from bert_keras.data.epochs import epochs_dataset
from bert_keras.tasks import text_classification
from bert_keras.training import AdamW, CountedAccuracy, MeanCrossEntropy, WarmupLinear, recipe

CONFIG = bk.EncoderConfig(
    vocab_size=50,
    hidden_size=16,
    num_hidden_layers=1,
    num_attention_heads=2,
    intermediate_size=32,
    max_position_embeddings=16,
)
BATCHES = 4
BATCH_SIZE = 4


def classifier(seed=0, steps=None, learning_rate=5e-3, **compiled):
    """A compiled two-class BERT; seed decides the weights and dropout."""
    keras.utils.set_random_seed(seed)
    model = text_classification(bk.encoder(CONFIG), ["negative", "positive"])
    model.compile(**{**recipe(model, learning_rate, steps), **compiled})
    return model


def bag(seed=0, steps=None, learning_rate=5e-2, dropout=0.3, **compiled):
    """A bag of tokens with dropout: what `fit` needs of a model, and quick to compile."""
    keras.utils.set_random_seed(seed)
    inputs = {
        name: keras.Input((None,), dtype="int32", name=name) for name in ("token_ids", "segment_ids", "padding_mask")
    }
    tokens = keras.layers.Embedding(CONFIG.vocab_size, 4)(keras.ops.concatenate(list(inputs.values()), axis=1))
    pooled = keras.layers.Dropout(dropout)(keras.layers.GlobalAveragePooling1D()(tokens))
    model = keras.Model(inputs, keras.layers.Dense(2)(pooled))
    rate = learning_rate if steps is None else WarmupLinear(learning_rate, steps, 2)
    settings = {"loss": MeanCrossEntropy(), "metrics": [CountedAccuracy()], "optimizer": AdamW(rate)}
    model.compile(**{**settings, **compiled})
    return model


def examples(n=BATCHES * BATCH_SIZE, length=6, seed=0):
    """Texts whose first token decides the label."""
    random = np.random.default_rng(seed)
    ids = random.integers(5, CONFIG.vocab_size, (n, length)).astype("int32")
    inputs = {"token_ids": ids, "segment_ids": np.zeros_like(ids), "padding_mask": np.ones_like(ids)}
    return inputs, (ids[:, 0] % 2).astype("int32")


def epochs_of(inputs, labels, batch_size=BATCH_SIZE, seed=0):
    """What `fit` asks for: the order of an epoch depends on (seed, epoch) alone."""

    def order(epoch):
        rows = np.random.default_rng([seed, epoch]).permutation(len(labels))
        return np.split(rows, range(batch_size, len(rows), batch_size))

    def gather(rows, epoch):
        return {name: array[rows] for name, array in inputs.items()}, labels[rows]

    spec = {name: tf.TensorSpec((None, array.shape[1]), tf.int32) for name, array in inputs.items()}
    signature = (spec, tf.TensorSpec((None,), tf.int32))
    return functools.partial(epochs_dataset, order, gather, signature, len(order(0)))


def make_dataset(start_epoch, skip_batches):
    return epochs_of(*examples())(start_epoch, skip_batches)


def state_of(model):
    """Everything that training changes, as one list of arrays."""
    return [variable.numpy() for variable in [*model.variables, *model.optimizer.variables]]
