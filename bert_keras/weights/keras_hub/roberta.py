"""RoBERTa's and XLM-R's table: exact GELU, epsilon 1e-5 (`roberta_backbone.py`).

KerasHub counts positions from 0 and has no segments; Hugging Face begins after the id of the padding token and adds the
only row of its segment table everywhere.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

from bert_keras.errors import InputError
from bert_keras.weights.keras_hub.common import hugging_face_common, keras_hub_common
from bert_keras.weights.keras_hub.rows import BlockNames, Family, Head, Row, blocks, demand, dense, layer_norm

_FIXED = {"hidden_act": "gelu", "layer_norm_eps": 1e-5}
_HEAD = "masked_lm_head"


def _hugging_face_config(config: Mapping[str, Any], pad_token_id: int) -> dict[str, Any]:
    values = hugging_face_common(config, pad_token_id)
    positions = config["max_sequence_length"] + pad_token_id + 1
    return {**values, **_FIXED, "type_vocab_size": 1, "max_position_embeddings": positions}


def _keras_hub_config(values: Mapping[str, Any]) -> dict[str, Any]:
    demand(values, "RobertaBackbone", **_FIXED, position_embedding_type="absolute")
    if values["type_vocab_size"] > 1:
        raise InputError(f"KerasHub's RobertaBackbone has no segments; this model has {values['type_vocab_size']}")
    return {**keras_hub_common(values), "max_sequence_length": values["max_position_embeddings"] - _offset(values)}


def _rows(values: Mapping[str, Any]) -> list[Row]:
    return [
        Row(
            "embeddings.word_embeddings.weight",
            "token_and_position_embedding/token_embedding/vars/0",
            "embeddings/token_embedding/embeddings",
        ),
        Row(
            "embeddings.position_embeddings.weight",
            "token_and_position_embedding/position_embedding/vars/0",
            "embeddings/position_embedding/embeddings",
            front=_offset(values),
            folded="embeddings.token_type_embeddings.weight",
        ),
        *layer_norm("embeddings.LayerNorm", "layer_normalization", "embeddings_layer_norm"),
        *blocks(values["num_hidden_layers"], "encoder.layer", BlockNames(), "transformer_encoder", "transformer_layer"),
    ]


def _offset(values: Mapping[str, Any]) -> int:
    return values["pad_token_id"] + 1


ROBERTA = Family(
    model_type="roberta",
    name="Roberta",
    architecture="Roberta",
    prefix="roberta.",
    pad_token_id=1,
    hugging_face_config=_hugging_face_config,
    keras_hub_config=_keras_hub_config,
    rows=_rows,
    heads={
        "ForSequenceClassification": Head(
            "TextClassifier",
            (*dense("classifier.dense", "dense", "pooled_dense"), *dense("classifier.out_proj", "dense_1", "logits")),
            "classifier_dropout",
        ),
        # The only family whose epsilon is that of KerasHub's head, 1e-5.
        "ForMaskedLM": Head(
            "MaskedLM",
            (
                *dense("lm_head.dense", f"{_HEAD}/_intermediate_dense", "mlm_head/intermediate_dense"),
                *layer_norm(
                    "lm_head.layer_norm", f"{_HEAD}/_intermediate_layer_norm", "mlm_head/intermediate_layer_norm"
                ),
                Row("lm_head.bias", f"{_HEAD}/vars/0", "mlm_head/output_bias", "vector"),
            ),
        ),
    },
)
XLM_ROBERTA = dataclasses.replace(
    ROBERTA, model_type="xlm-roberta", name="XLMRoberta", architecture="XLMRoberta", embedder=True
)
