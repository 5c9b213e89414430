"""BERT's table: KerasHub computes GELU by its tanh form and epsilon 1e-12 (`bert_backbone.py`)."""

from collections.abc import Mapping
from typing import Any

from bert_keras.weights.keras_hub.common import hugging_face_common, keras_hub_common
from bert_keras.weights.keras_hub.rows import BlockNames, Family, Head, Row, blocks, demand, dense, layer_norm

_FIXED = {"hidden_act": "gelu_new", "layer_norm_eps": 1e-12}


def embedding_rows() -> list[Row]:
    """The three tables and their LayerNorm, as in ALBERT and ELECTRA."""
    return [
        Row("embeddings.word_embeddings.weight", "reversible_embedding/vars/0", "token_embedding/embeddings"),
        Row("embeddings.position_embeddings.weight", "position_embedding/vars/0", "position_embedding/embeddings"),
        Row("embeddings.token_type_embeddings.weight", "embedding/vars/0", "segment_embedding/embeddings"),
        *layer_norm("embeddings.LayerNorm", "layer_normalization", "embeddings_layer_norm"),
    ]


def _hugging_face_config(config: Mapping[str, Any], pad_token_id: int) -> dict[str, Any]:
    return {**hugging_face_common(config, pad_token_id), **_FIXED, "type_vocab_size": config["num_segments"]}


def _keras_hub_config(values: Mapping[str, Any]) -> dict[str, Any]:
    demand(values, "BertBackbone", **_FIXED, position_embedding_type="absolute")
    return {**keras_hub_common(values), "num_segments": values["type_vocab_size"]}


def _rows(values: Mapping[str, Any]) -> list[Row]:
    return [
        *embedding_rows(),
        *blocks(values["num_hidden_layers"], "encoder.layer", BlockNames(), "transformer_encoder", "transformer_layer"),
        *dense("pooler.dense", "dense", "pooled_dense"),
    ]


BERT = Family(
    model_type="bert",
    name="Bert",
    architecture="Bert",
    prefix="bert.",
    pad_token_id=0,
    hugging_face_config=_hugging_face_config,
    keras_hub_config=_keras_hub_config,
    rows=_rows,
    heads={
        "ForSequenceClassification": Head(
            "TextClassifier", tuple(dense("classifier", "dense", "logits")), "classifier_dropout"
        )
    },
    optional=("pooled_dense",),
    embedder=True,
)
