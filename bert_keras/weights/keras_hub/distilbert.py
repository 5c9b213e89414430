"""DistilBERT's table: exact GELU, epsilon 1e-12 (`distil_bert_backbone.py`); Hugging Face has its own words for it."""

from collections.abc import Mapping
from typing import Any

from bert_keras.weights.keras_hub.rows import BlockNames, Family, Head, Row, blocks, demand, dense, layer_norm

_SIZES = {
    "vocabulary_size": "vocab_size",
    "num_layers": "n_layers",
    "num_heads": "n_heads",
    "hidden_dim": "dim",
    "intermediate_dim": "hidden_dim",
    "max_sequence_length": "max_position_embeddings",
    "dropout": "dropout",
}
_NAMES = BlockNames(
    query="attention.q_lin",
    key="attention.k_lin",
    value="attention.v_lin",
    attention_output="attention.out_lin",
    attention_norm="sa_layer_norm",
    intermediate="ffn.lin1",
    output="ffn.lin2",
    output_norm="output_layer_norm",
)


def _hugging_face_config(config: Mapping[str, Any], pad_token_id: int) -> dict[str, Any]:
    return {
        **{theirs: config[ours] for ours, theirs in _SIZES.items()},
        "attention_dropout": config["dropout"],
        "activation": "gelu",
        "initializer_range": 0.02,
        "pad_token_id": pad_token_id,
        "sinusoidal_pos_embds": False,
    }


def _keras_hub_config(values: Mapping[str, Any]) -> dict[str, Any]:
    demand(values, "DistilBertBackbone", activation="gelu")
    return {ours: values[theirs] for ours, theirs in _SIZES.items()}


def _rows(values: Mapping[str, Any]) -> list[Row]:
    tables = "token_and_position_embedding"
    return [
        Row(
            "embeddings.word_embeddings.weight",
            f"{tables}/token_embedding/vars/0",
            f"{tables}/token_embedding/embeddings",
        ),
        Row(
            "embeddings.position_embeddings.weight",
            f"{tables}/position_embedding/vars/0",
            f"{tables}/position_embedding/embeddings",
        ),
        *layer_norm("embeddings.LayerNorm", "layer_normalization", "embeddings_layer_norm"),
        *blocks(values["n_layers"], "transformer.layer", _NAMES, "transformer_encoder", "transformer_layer"),
    ]


DISTILBERT = Family(
    model_type="distilbert",
    name="DistilBert",
    architecture="DistilBert",
    prefix="distilbert.",
    pad_token_id=0,
    hugging_face_config=_hugging_face_config,
    keras_hub_config=_keras_hub_config,
    rows=_rows,
    heads={
        "ForSequenceClassification": Head(
            "TextClassifier",
            (*dense("pre_classifier", "dense", "pooled_dense"), *dense("classifier", "dense_1", "logits")),
            "seq_classif_dropout",
        )
    },
)
