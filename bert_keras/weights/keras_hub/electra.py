"""ELECTRA's table: GELU by its tanh form, epsilon 1e-12, a projection only where E is not H (`electra_backbone.py`).

KerasHub adds a pooler, which no ELECTRA of Google's or Hugging Face's has, and has no heads.
"""

from collections.abc import Mapping
from typing import Any

from bert_keras.weights.keras_hub.bert import embedding_rows
from bert_keras.weights.keras_hub.common import hugging_face_common, keras_hub_common
from bert_keras.weights.keras_hub.rows import BlockNames, Family, Row, blocks, demand, dense, numbered

_FIXED = {"hidden_act": "gelu_new", "layer_norm_eps": 1e-12}


def _hugging_face_config(config: Mapping[str, Any], pad_token_id: int) -> dict[str, Any]:
    # This backbone alone has another word for it.
    common = hugging_face_common({"vocabulary_size": config["vocab_size"], **config}, pad_token_id)
    sizes = {"type_vocab_size": config["num_segments"], "embedding_size": config["embedding_dim"]}
    return {**common, **_FIXED, **sizes}


def _keras_hub_config(values: Mapping[str, Any]) -> dict[str, Any]:
    demand(values, "ElectraBackbone", **_FIXED, position_embedding_type="absolute")
    config = keras_hub_common(values)
    return {
        **config,
        "vocab_size": config.pop("vocabulary_size"),
        "num_segments": values["type_vocab_size"],
        "embedding_dim": values["embedding_size"],
    }


def _rows(values: Mapping[str, Any]) -> list[Row]:
    projected = values["embedding_size"] != values["hidden_size"]
    pooler = numbered("dense", int(projected))
    return [
        *embedding_rows(),
        *(dense("embeddings_project", "dense", "embeddings_projection") if projected else ()),
        *blocks(values["num_hidden_layers"], "encoder.layer", BlockNames(), "transformer_encoder", "transformer_layer"),
        Row("", f"{pooler}/vars/0", "pooled_dense/kernel"),
        Row("", f"{pooler}/vars/1", "pooled_dense/bias"),
    ]


ELECTRA = Family(
    model_type="electra",
    name="Electra",
    architecture="Electra",
    prefix="electra.",
    pad_token_id=0,
    hugging_face_config=_hugging_face_config,
    keras_hub_config=_keras_hub_config,
    rows=_rows,
    optional=("pooled_dense",),
)
