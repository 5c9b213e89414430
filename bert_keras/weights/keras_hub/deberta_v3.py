"""DeBERTa v3's table: exact GELU, epsilon 1e-7, one form of attention (`deberta_v3_backbone.py`)."""

from collections.abc import Mapping
from typing import Any

from bert_keras.errors import InputError
from bert_keras.weights.keras_hub.common import hugging_face_common, keras_hub_common
from bert_keras.weights.keras_hub.rows import BlockNames, Family, Head, Row, blocks, demand, dense, layer_norm

_FIXED: dict[str, Any] = {
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-7,
    "relative_attention": True,
    "share_att_key": True,
    "norm_rel_ebd": "layer_norm",
    "position_biased_input": False,
    "type_vocab_size": 0,
}
_NAMES = BlockNames(query="attention.self.query_proj", key="attention.self.key_proj", value="attention.self.value_proj")


def _hugging_face_config(config: Mapping[str, Any], pad_token_id: int) -> dict[str, Any]:
    return {
        **hugging_face_common(config, pad_token_id),
        **_FIXED,
        "pos_att_type": ["p2c", "c2p"],
        "position_buckets": config["bucket_size"],
        "max_relative_positions": -1,
        "pooler_hidden_size": config["hidden_dim"],
        "pooler_hidden_act": "gelu",
    }


def _keras_hub_config(values: Mapping[str, Any]) -> dict[str, Any]:
    demand(values, "DebertaV3Backbone", **_FIXED, conv_kernel_size=0, embedding_size=values["hidden_size"])
    demand(values, "DebertaV3TextClassifier", pooler_hidden_size=values["hidden_size"], pooler_hidden_act="gelu")
    kinds = values["pos_att_type"]
    kinds = kinds.split("|") if isinstance(kinds, str) else kinds
    if set(kinds) != {"p2c", "c2p"}:
        raise InputError(f"KerasHub's DebertaV3Backbone always attends by p2c and c2p; this model by {kinds}")
    positions = values.get("max_relative_positions", -1)
    if positions not in (-1, values["max_position_embeddings"]):
        raise InputError(
            f"KerasHub's DebertaV3Backbone has max_relative_positions = max_position_embeddings; this model has "
            f"{positions} and {values['max_position_embeddings']}"
        )
    if values.get("position_buckets", -1) < 1:
        raise InputError("KerasHub's DebertaV3Backbone needs position_buckets; this model has none")
    return {**keras_hub_common(values), "bucket_size": values["position_buckets"]}


def _rows(values: Mapping[str, Any]) -> list[Row]:
    block = ("disentangled_attention_encoder", "disentangled_attention_encoder_layer")
    return [
        Row("embeddings.word_embeddings.weight", "reversible_embedding/vars/0", "token_embedding/embeddings"),
        *layer_norm("embeddings.LayerNorm", "layer_normalization", "embeddings_layer_norm"),
        Row("encoder.rel_embeddings.weight", "relative_embedding/vars/0", "rel_embedding/rel_embedding"),
        *layer_norm("encoder.LayerNorm", "relative_embedding/layer_norm", "rel_embedding/rel_embeddings_layer_norm"),
        *blocks(values["num_hidden_layers"], "encoder.layer", _NAMES, *block),
    ]


DEBERTA_V3 = Family(
    model_type="deberta-v2",
    name="DebertaV3",
    architecture="DebertaV2",
    prefix="deberta.",
    pad_token_id=0,
    hugging_face_config=_hugging_face_config,
    keras_hub_config=_keras_hub_config,
    rows=_rows,
    heads={
        "ForSequenceClassification": Head(
            "TextClassifier",
            (*dense("pooler.dense", "dense", "pooled_dense"), *dense("classifier", "dense_1", "logits")),
            "pooler_dropout",
        )
    },
)
