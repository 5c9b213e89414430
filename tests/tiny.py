"""Small models with weights that hide nothing: no bias is 0, no gamma 1, no matrix symmetric."""

from pathlib import Path

import numpy as np

from bert_keras.config import EncoderConfig

GOLDEN = Path(__file__).parent / "golden"

# H = 20 with A = 5 and D = 4: no two of the sizes are equal. Activation and epsilon are off their defaults.
CONFIG = EncoderConfig(
    vocab_size=37,
    hidden_size=20,
    num_hidden_layers=2,
    num_attention_heads=5,
    intermediate_size=28,
    hidden_act="gelu_new",
    max_position_embeddings=11,
    type_vocab_size=3,
    layer_norm_eps=1e-3,
)


def randomize(model, seed=0):
    """Give every variable of a model (or layer) random values, and return them as float64 by their paths."""
    random = np.random.default_rng(seed)
    for variable in model.weights:
        scale = 0.3 if variable.name == "kernel" else 0.5
        centre = 1.2 if variable.name == "gamma" else 0.05
        variable.assign(random.normal(centre, scale, variable.shape).astype("float32"))
    return values(model)


def values(model):
    """The variables of a model as float64 arrays by their paths."""
    return {variable.path: variable.numpy().astype("float64") for variable in model.weights}


def batch(lengths=(7, 4, 1), length=7, config=CONFIG, seed=1):
    """Inputs of texts of several lengths: ids random under the padding too, each text with a second segment."""
    random = np.random.default_rng(seed)
    shape = (len(lengths), length)
    positions = np.arange(length)[None, :]
    real = np.array(lengths)[:, None]
    return {
        "token_ids": random.integers(0, config.vocab_size, shape).astype("int32"),
        "segment_ids": ((positions >= real // 2) & (positions < real)).astype("int32"),
        "padding_mask": (positions < real).astype("int32"),
    }


def outputs(model, inputs):
    """What the model computes, without dropout, as NumPy arrays in the structure of its outputs."""
    import keras

    return keras.tree.map_structure(lambda x: x.numpy(), model(inputs, training=False))


def golden(task):
    """The folder of a model made with transformers, with `expected.safetensors` beside the weights."""
    return GOLDEN / "bert" / task
