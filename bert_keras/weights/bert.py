"""BERT's tensors by the names of Hugging Face's folders, the prefix `bert.` left out.

Source: the state dictionary of transformers' BertForPreTraining and BertForSequenceClassification.
"""

import re
from collections.abc import Iterable

from bert_keras.errors import InputError
from bert_keras.weights.table import Row

# Layers that a checkpoint may lack as a whole.
OPTIONAL = ("pooler", "mlm_head", "nsp_head", "classification_head")


def rows(num_hidden_layers: int) -> list[Row]:
    """The table of an encoder and every head.

    Args:
        num_hidden_layers: blocks of the encoder.
    """
    table = [
        Row("embeddings.position_ids"),
        Row("embeddings.token_type_ids"),
        Row("embeddings.word_embeddings.weight", "embeddings/token_embedding"),
        Row("embeddings.position_embeddings.weight", "embeddings/position_embedding"),
        Row("embeddings.token_type_embeddings.weight", "embeddings/segment_embedding"),
        *_layer_norm("embeddings.LayerNorm", "embeddings/layer_norm"),
    ]
    for i in range(num_hidden_layers):
        theirs, ours = f"encoder.layer.{i}", f"block_{i}"
        for part in ("query", "key", "value"):
            table += _dense(f"{theirs}.attention.self.{part}", f"{ours}/attention/{part}")
        table += _dense(f"{theirs}.attention.output.dense", f"{ours}/attention/output")
        table += _layer_norm(f"{theirs}.attention.output.LayerNorm", f"{ours}/attention_layer_norm")
        table += _dense(f"{theirs}.intermediate.dense", f"{ours}/intermediate")
        table += _dense(f"{theirs}.output.dense", f"{ours}/output")
        table += _layer_norm(f"{theirs}.output.LayerNorm", f"{ours}/output_layer_norm")
    return [
        *table,
        *_dense("pooler.dense", "pooler/dense"),
        *_dense("cls.predictions.transform.dense", "mlm_head/transform"),
        *_layer_norm("cls.predictions.transform.LayerNorm", "mlm_head/layer_norm"),
        Row("cls.predictions.bias", "mlm_head/bias"),
        Row("cls.predictions.decoder.bias", tied_to="cls.predictions.bias"),
        Row("cls.predictions.decoder.weight", tied_to="embeddings.word_embeddings.weight"),
        *_dense("cls.seq_relationship", "nsp_head/dense"),
        *_dense("classifier", "classification_head/dense"),
        *_dense("qa_outputs", "answer_head/dense"),
    ]


def canonical(names: Iterable[str], source: str) -> dict[str, str]:
    """The names of the table for the names in a file, which vary with the file's age and head.

    Args:
        names: the names in the file: with or without the prefix `bert.`, LayerNorm's `gamma` and `beta` of old.
        source: the file, for messages.

    Returns:
        Canonical name -> name in the file.

    Raises:
        InputError: two tensors of the file have one canonical name.
    """
    names = list(names)
    found: dict[str, str] = {}
    for name in names:
        short = re.sub(r"\.gamma$", ".weight", re.sub(r"\.beta$", ".bias", name.removeprefix("bert.")))
        # Newer files name the decoder's bias so, older ones as below, some have both; it is added once.
        if short == "cls.predictions.decoder.bias" and "cls.predictions.bias" not in names:
            short = "cls.predictions.bias"
        if short in found:
            raise InputError(f"{source}: {found[short]} and {name} are the same tensor")
        found[short] = name
    return found


def _dense(theirs: str, ours: str) -> list[Row]:
    return [Row(f"{theirs}.weight", f"{ours}/kernel", transposed=True), Row(f"{theirs}.bias", f"{ours}/bias")]


def _layer_norm(theirs: str, ours: str) -> list[Row]:
    return [Row(f"{theirs}.weight", f"{ours}/gamma"), Row(f"{theirs}.bias", f"{ours}/beta")]
