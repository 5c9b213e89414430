"""Trains on one device and on two logical CPUs, and prints what came out as JSON; a program of its own, because
logical devices must be made before anything else runs."""

import json
import sys

import keras
import numpy as np
import tensorflow as tf
from training import small

import bert_keras as bk
from bert_keras.losses import InfoNce, TripletMargin
from bert_keras.tasks import text_classification
from bert_keras.training import AdamW, BertAdam, Lamb, MeanCrossEntropy, fit

tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
)

# One for all runs: a second strategy in the same process would meet the collectives of the first.
MIRRORED = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
CONFIG = bk.EncoderConfig(**{**small.CONFIG.to_dict(), "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0})
# Batches of 8 and 7: in the second the replicas get 4 and 3 examples, and unequal weights on top.
INPUTS, LABELS = small.examples(15)
WEIGHTS = np.linspace(0.1, 3.0, 15).astype("float32")
OPTIMIZERS = {
    "sgd": lambda: keras.optimizers.SGD(0.5),
    "adamw": lambda: AdamW(1e-2, weight_decay=0.1, global_clipnorm=0.3),
    "plain": lambda: AdamW(1e-2, weight_decay=0.1, global_clipnorm=0.3, fused=False),
    "bert_adam": lambda: BertAdam(1e-3, global_clipnorm=0.3),
    "lamb": lambda: Lamb(1e-2, weight_decay=0.1, global_clipnorm=0.3),
}


def trained(name, strategy):
    with strategy.scope():
        keras.utils.set_random_seed(0)
        model = text_classification(bk.encoder(CONFIG), ["no", "yes"])
        model.compile(OPTIMIZERS[name](), MeanCrossEntropy(), jit_compile=False)
    data = tf.data.Dataset.from_tensor_slices((INPUTS, LABELS, WEIGHTS)).batch(8)
    losses = model.fit(data, shuffle=False, epochs=2, verbose=0).history["loss"]
    return losses, model.get_weights()


def compared(name):
    one_losses, one = trained(name, tf.distribute.get_strategy())
    two_losses, two = trained(name, MIRRORED)
    return {
        "loss": float(np.abs(np.subtract(one_losses, two_losses)).max()),
        "weights": max(float(np.abs(a - b).max()) for a, b in zip(one, two, strict=True)),
    }


def embedded(loss):
    """How far the loss of four triplets on two devices is from the mean of its values of the first and the last two."""
    with MIRRORED.scope():
        inputs = keras.Input((1,), dtype="int32")
        vectors = keras.layers.Flatten()(keras.layers.Embedding(12, 4, "normal")(inputs))
        model = keras.Model(inputs, vectors)
        model.compile(keras.optimizers.SGD(0.0), loss, jit_compile=False)
    ids = np.arange(12, dtype="int32")
    data = tf.data.Dataset.from_tensors((ids[:, None], ids))
    found = model.fit(data, shuffle=False, verbose=0).history["loss"][0]
    table = model.get_weights()[0]
    halves = [float(loss(ids[part], table[part])) for part in (slice(6), slice(6, 12))]
    return abs(found - np.mean(halves))


def resumed(folder):
    """Iterations and weights of a run over two devices, straight and in two parts."""

    def run(epochs, folder):
        with MIRRORED.scope():
            model = small.bag(dropout=0.0)
        history = fit(model, small.make_dataset, epochs, folder, verbose=0)
        return model, history

    straight, _ = run(2, None)
    run(1, folder)
    model, history = run(2, folder)
    pairs = zip(straight.get_weights(), model.get_weights(), strict=True)
    return {
        "epochs": len(history.epoch),
        "iterations": int(model.optimizer.iterations.numpy()),
        "weights": max(float(np.abs(a - b).max()) for a, b in pairs),
    }


EMBEDDED = {loss.name: embedded(loss) for loss in (InfoNce(1), TripletMargin(margin=1.5))}
RESUMED = resumed(sys.argv[1])
print(json.dumps({**{name: compared(name) for name in sys.argv[2:]}, "resumed": RESUMED, "embedded": EMBEDDED}))
