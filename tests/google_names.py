"""Tensors of Google's TensorFlow 1 checkpoints of one layer: name there, shape there, Hugging Face's name.

Names there: google-research/bert, google-research/albert, google-research/electra (`modeling.py`, `run_pretraining.py`,
`run_classifier.py`, `run_squad.py`); here: the state dictionaries of transformers' models.
"""

import numpy as np
import tensorflow as tf

BERT = [
    ("bert/embeddings/word_embeddings", (9, 4), "bert.embeddings.word_embeddings.weight"),
    ("bert/embeddings/position_embeddings", (5, 4), "bert.embeddings.position_embeddings.weight"),
    ("bert/embeddings/token_type_embeddings", (2, 4), "bert.embeddings.token_type_embeddings.weight"),
    ("bert/embeddings/LayerNorm/gamma", (4,), "bert.embeddings.LayerNorm.weight"),
    ("bert/embeddings/LayerNorm/beta", (4,), "bert.embeddings.LayerNorm.bias"),
    ("bert/encoder/layer_0/attention/self/query/kernel", (4, 4), "bert.encoder.layer.0.attention.self.query.weight"),
    ("bert/encoder/layer_0/attention/self/query/bias", (4,), "bert.encoder.layer.0.attention.self.query.bias"),
    ("bert/encoder/layer_0/attention/self/key/kernel", (4, 4), "bert.encoder.layer.0.attention.self.key.weight"),
    ("bert/encoder/layer_0/attention/self/key/bias", (4,), "bert.encoder.layer.0.attention.self.key.bias"),
    ("bert/encoder/layer_0/attention/self/value/kernel", (4, 4), "bert.encoder.layer.0.attention.self.value.weight"),
    ("bert/encoder/layer_0/attention/self/value/bias", (4,), "bert.encoder.layer.0.attention.self.value.bias"),
    (
        "bert/encoder/layer_0/attention/output/dense/kernel",
        (4, 4),
        "bert.encoder.layer.0.attention.output.dense.weight",
    ),
    ("bert/encoder/layer_0/attention/output/dense/bias", (4,), "bert.encoder.layer.0.attention.output.dense.bias"),
    (
        "bert/encoder/layer_0/attention/output/LayerNorm/gamma",
        (4,),
        "bert.encoder.layer.0.attention.output.LayerNorm.weight",
    ),
    (
        "bert/encoder/layer_0/attention/output/LayerNorm/beta",
        (4,),
        "bert.encoder.layer.0.attention.output.LayerNorm.bias",
    ),
    ("bert/encoder/layer_0/intermediate/dense/kernel", (4, 6), "bert.encoder.layer.0.intermediate.dense.weight"),
    ("bert/encoder/layer_0/intermediate/dense/bias", (6,), "bert.encoder.layer.0.intermediate.dense.bias"),
    ("bert/encoder/layer_0/output/dense/kernel", (6, 4), "bert.encoder.layer.0.output.dense.weight"),
    ("bert/encoder/layer_0/output/dense/bias", (4,), "bert.encoder.layer.0.output.dense.bias"),
    ("bert/encoder/layer_0/output/LayerNorm/gamma", (4,), "bert.encoder.layer.0.output.LayerNorm.weight"),
    ("bert/encoder/layer_0/output/LayerNorm/beta", (4,), "bert.encoder.layer.0.output.LayerNorm.bias"),
    ("bert/pooler/dense/kernel", (4, 4), "bert.pooler.dense.weight"),
    ("bert/pooler/dense/bias", (4,), "bert.pooler.dense.bias"),
    ("cls/predictions/transform/dense/kernel", (4, 4), "cls.predictions.transform.dense.weight"),
    ("cls/predictions/transform/dense/bias", (4,), "cls.predictions.transform.dense.bias"),
    ("cls/predictions/transform/LayerNorm/gamma", (4,), "cls.predictions.transform.LayerNorm.weight"),
    ("cls/predictions/transform/LayerNorm/beta", (4,), "cls.predictions.transform.LayerNorm.bias"),
    ("cls/predictions/output_bias", (9,), "cls.predictions.bias"),
    ("cls/seq_relationship/output_weights", (2, 4), "cls.seq_relationship.weight"),
    ("cls/seq_relationship/output_bias", (2,), "cls.seq_relationship.bias"),
    ("cls/squad/output_weights", (2, 4), "qa_outputs.weight"),
    ("cls/squad/output_bias", (2,), "qa_outputs.bias"),
    ("output_weights", (4, 4), "classifier.weight"),
    ("output_bias", (4,), "classifier.bias"),
]

_THEIRS = "bert/encoder/transformer/group_0/inner_group_0"
_OURS = "albert.encoder.albert_layer_groups.0.albert_layers.0"

ALBERT = [
    ("bert/embeddings/word_embeddings", (9, 3), "albert.embeddings.word_embeddings.weight"),
    ("bert/embeddings/position_embeddings", (5, 3), "albert.embeddings.position_embeddings.weight"),
    ("bert/embeddings/token_type_embeddings", (2, 3), "albert.embeddings.token_type_embeddings.weight"),
    ("bert/embeddings/LayerNorm/gamma", (3,), "albert.embeddings.LayerNorm.weight"),
    ("bert/embeddings/LayerNorm/beta", (3,), "albert.embeddings.LayerNorm.bias"),
    (
        "bert/encoder/embedding_hidden_mapping_in/kernel",
        (3, 4),
        "albert.encoder.embedding_hidden_mapping_in.weight",
    ),
    ("bert/encoder/embedding_hidden_mapping_in/bias", (4,), "albert.encoder.embedding_hidden_mapping_in.bias"),
    (f"{_THEIRS}/attention_1/self/query/kernel", (4, 4), f"{_OURS}.attention.query.weight"),
    (f"{_THEIRS}/attention_1/self/query/bias", (4,), f"{_OURS}.attention.query.bias"),
    (f"{_THEIRS}/attention_1/self/key/kernel", (4, 4), f"{_OURS}.attention.key.weight"),
    (f"{_THEIRS}/attention_1/self/key/bias", (4,), f"{_OURS}.attention.key.bias"),
    (f"{_THEIRS}/attention_1/self/value/kernel", (4, 4), f"{_OURS}.attention.value.weight"),
    (f"{_THEIRS}/attention_1/self/value/bias", (4,), f"{_OURS}.attention.value.bias"),
    (f"{_THEIRS}/attention_1/output/dense/kernel", (4, 4), f"{_OURS}.attention.dense.weight"),
    (f"{_THEIRS}/attention_1/output/dense/bias", (4,), f"{_OURS}.attention.dense.bias"),
    # The order in the reference's graph: attention, LayerNorm, feed-forward network, LayerNorm_1.
    (f"{_THEIRS}/LayerNorm/gamma", (4,), f"{_OURS}.attention.LayerNorm.weight"),
    (f"{_THEIRS}/LayerNorm/beta", (4,), f"{_OURS}.attention.LayerNorm.bias"),
    (f"{_THEIRS}/ffn_1/intermediate/dense/kernel", (4, 6), f"{_OURS}.ffn.weight"),
    (f"{_THEIRS}/ffn_1/intermediate/dense/bias", (6,), f"{_OURS}.ffn.bias"),
    (f"{_THEIRS}/ffn_1/intermediate/output/dense/kernel", (6, 4), f"{_OURS}.ffn_output.weight"),
    (f"{_THEIRS}/ffn_1/intermediate/output/dense/bias", (4,), f"{_OURS}.ffn_output.bias"),
    (f"{_THEIRS}/LayerNorm_1/gamma", (4,), f"{_OURS}.full_layer_layer_norm.weight"),
    (f"{_THEIRS}/LayerNorm_1/beta", (4,), f"{_OURS}.full_layer_layer_norm.bias"),
    ("bert/pooler/dense/kernel", (4, 4), "albert.pooler.weight"),
    ("bert/pooler/dense/bias", (4,), "albert.pooler.bias"),
    ("cls/predictions/transform/dense/kernel", (4, 3), "predictions.dense.weight"),
    ("cls/predictions/transform/dense/bias", (3,), "predictions.dense.bias"),
    ("cls/predictions/transform/LayerNorm/gamma", (3,), "predictions.LayerNorm.weight"),
    ("cls/predictions/transform/LayerNorm/beta", (3,), "predictions.LayerNorm.bias"),
    ("cls/predictions/output_bias", (9,), "predictions.bias"),
    ("cls/seq_relationship/output_weights", (2, 4), "sop_classifier.classifier.weight"),
    ("cls/seq_relationship/output_bias", (2,), "sop_classifier.classifier.bias"),
    ("cls/squad/output_weights", (2, 4), "qa_outputs.weight"),
    ("cls/squad/output_bias", (2,), "qa_outputs.bias"),
    ("output_weights", (4, 4), "classifier.weight"),
    ("output_bias", (4,), "classifier.bias"),
]

# Both parts of ELECTRA take their tables from here.
_ELECTRA_TABLES = [
    ("electra/embeddings/word_embeddings", (9, 3), "electra.embeddings.word_embeddings.weight"),
    ("electra/embeddings/position_embeddings", (5, 3), "electra.embeddings.position_embeddings.weight"),
    ("electra/embeddings/token_type_embeddings", (2, 3), "electra.embeddings.token_type_embeddings.weight"),
    ("electra/embeddings/LayerNorm/gamma", (3,), "electra.embeddings.LayerNorm.weight"),
    ("electra/embeddings/LayerNorm/beta", (3,), "electra.embeddings.LayerNorm.bias"),
]


def _electra_encoder(scope, width):
    theirs, ours = f"{scope}/encoder/layer_0", "electra.encoder.layer.0"
    square = (width, width)
    return [
        (f"{scope}/embeddings_project/kernel", (3, width), "electra.embeddings_project.weight"),
        (f"{scope}/embeddings_project/bias", (width,), "electra.embeddings_project.bias"),
        (f"{theirs}/attention/self/query/kernel", square, f"{ours}.attention.self.query.weight"),
        (f"{theirs}/attention/self/query/bias", (width,), f"{ours}.attention.self.query.bias"),
        (f"{theirs}/attention/self/key/kernel", square, f"{ours}.attention.self.key.weight"),
        (f"{theirs}/attention/self/key/bias", (width,), f"{ours}.attention.self.key.bias"),
        (f"{theirs}/attention/self/value/kernel", square, f"{ours}.attention.self.value.weight"),
        (f"{theirs}/attention/self/value/bias", (width,), f"{ours}.attention.self.value.bias"),
        (f"{theirs}/attention/output/dense/kernel", square, f"{ours}.attention.output.dense.weight"),
        (f"{theirs}/attention/output/dense/bias", (width,), f"{ours}.attention.output.dense.bias"),
        (f"{theirs}/attention/output/LayerNorm/gamma", (width,), f"{ours}.attention.output.LayerNorm.weight"),
        (f"{theirs}/attention/output/LayerNorm/beta", (width,), f"{ours}.attention.output.LayerNorm.bias"),
        (f"{theirs}/intermediate/dense/kernel", (width, 6), f"{ours}.intermediate.dense.weight"),
        (f"{theirs}/intermediate/dense/bias", (6,), f"{ours}.intermediate.dense.bias"),
        (f"{theirs}/output/dense/kernel", (6, width), f"{ours}.output.dense.weight"),
        (f"{theirs}/output/dense/bias", (width,), f"{ours}.output.dense.bias"),
        (f"{theirs}/output/LayerNorm/gamma", (width,), f"{ours}.output.LayerNorm.weight"),
        (f"{theirs}/output/LayerNorm/beta", (width,), f"{ours}.output.LayerNorm.bias"),
    ]


DISCRIMINATOR = [
    *_ELECTRA_TABLES,
    *_electra_encoder("electra", 4),
    ("discriminator_predictions/dense/kernel", (4, 4), "discriminator_predictions.dense.weight"),
    ("discriminator_predictions/dense/bias", (4,), "discriminator_predictions.dense.bias"),
    ("discriminator_predictions/dense_1/kernel", (4, 1), "discriminator_predictions.dense_prediction.weight"),
    ("discriminator_predictions/dense_1/bias", (1,), "discriminator_predictions.dense_prediction.bias"),
]
GENERATOR = [
    *_ELECTRA_TABLES,
    *_electra_encoder("generator", 2),
    ("generator_predictions/dense/kernel", (2, 3), "generator_predictions.dense.weight"),
    ("generator_predictions/dense/bias", (3,), "generator_predictions.dense.bias"),
    ("generator_predictions/LayerNorm/gamma", (3,), "generator_predictions.LayerNorm.weight"),
    ("generator_predictions/LayerNorm/beta", (3,), "generator_predictions.LayerNorm.bias"),
    ("generator_predictions/output_bias", (9,), "generator_lm_head.bias"),
]

# A checkpoint of each family, and what is read of it.
FAMILIES = {"bert": BERT, "albert": ALBERT, "discriminator": DISCRIMINATOR, "generator": GENERATOR}


def arrays(rows, seed=0):
    """Random arrays by Google's names, no two alike."""
    random = np.random.default_rng(seed)
    return {name: random.normal(size=shape).astype("float32") for name, shape, _ in rows}


def expected(rows, values):
    """The same by Hugging Face's names, kernels as `[out, in]`."""
    return {ours: values[name].T if name.endswith("/kernel") else values[name] for name, _, ours in rows}


def save(prefix, values):
    """Write a checkpoint of these arrays."""
    tf.raw_ops.SaveV2(
        prefix=str(prefix),
        tensor_names=list(values),
        shape_and_slices=[""] * len(values),
        tensors=list(values.values()),
    )
    return prefix
