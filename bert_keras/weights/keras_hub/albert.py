"""ALBERT's table: GELU by its tanh form, epsilon 1e-12, always a projection from E to H (`albert_backbone.py`)."""

from collections.abc import Mapping
from typing import Any

from bert_keras.errors import InputError
from bert_keras.weights.keras_hub.bert import embedding_rows
from bert_keras.weights.keras_hub.common import hugging_face_common, keras_hub_common
from bert_keras.weights.keras_hub.rows import BlockNames, Family, Head, Row, block, demand, dense, numbered

_FIXED = {"hidden_act": "gelu_new", "layer_norm_eps": 1e-12}
_NAMES = BlockNames(
    query="attention.query",
    key="attention.key",
    value="attention.value",
    attention_output="attention.dense",
    attention_norm="attention.LayerNorm",
    intermediate="ffn",
    output="ffn_output",
    output_norm="full_layer_layer_norm",
)


def _hugging_face_config(config: Mapping[str, Any], pad_token_id: int) -> dict[str, Any]:
    return {
        **hugging_face_common(config, pad_token_id),
        **_FIXED,
        "type_vocab_size": config["num_segments"],
        "embedding_size": config["embedding_dim"],
        "num_hidden_groups": config["num_groups"],
        "inner_group_num": config["num_inner_repetitions"],
    }


def _keras_hub_config(values: Mapping[str, Any]) -> dict[str, Any]:
    demand(values, "AlbertBackbone", **_FIXED, position_embedding_type="absolute")
    groups = values["num_hidden_groups"]
    if values["num_hidden_layers"] % groups:
        raise InputError(
            f"KerasHub's AlbertBackbone has as many layers in each group; this model has {groups} groups for "
            f"{values['num_hidden_layers']} layers"
        )
    return {
        **keras_hub_common(values),
        "num_segments": values["type_vocab_size"],
        "embedding_dim": values["embedding_size"],
        "num_groups": groups,
        "num_inner_repetitions": values.get("inner_group_num", 1),
    }


def _rows(values: Mapping[str, Any]) -> list[Row]:
    inner = values.get("inner_group_num", 1)
    rows = [*embedding_rows(), *dense("encoder.embedding_hidden_mapping_in", "dense", "embedding_projection")]
    for i in range(values["num_hidden_groups"]):
        for j in range(inner):
            name = f"encoder.albert_layer_groups.{i}.albert_layers.{j}"
            file = numbered("transformer_encoder", i * inner + j)
            rows += block(name, file, f"group_{i}_inner_layer_{j}", _NAMES)
    return [*rows, *dense("pooler", "dense_1", "pooled_dense")]


ALBERT = Family(
    model_type="albert",
    name="Albert",
    architecture="Albert",
    prefix="albert.",
    pad_token_id=0,
    hugging_face_config=_hugging_face_config,
    keras_hub_config=_keras_hub_config,
    rows=_rows,
    heads={
        "ForSequenceClassification": Head(
            "TextClassifier", tuple(dense("classifier", "dense", "logits")), "classifier_dropout_prob"
        )
    },
    optional=("pooled_dense",),
)
