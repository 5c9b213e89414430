"""The tensors of DeBERTa v2 and v3 by the names of Hugging Face's folders, the prefix `deberta.` left out.

Source: the state dictionaries of transformers' DebertaV2ForMaskedLM, DebertaV2ForSequenceClassification and so on; the
names of the detection head are those of microsoft/DeBERTa `replaced_token_detection_model.py`.
"""

from bert_keras.config import EncoderConfig
from bert_keras.weights.bert import CLASSIFIERS, output_rows
from bert_keras.weights.table import Row, dense, layer_norm

PREFIX = "deberta."
HEADS = ("cls.", "lm_predictions.", "mask_predictions.", "pooler.", "classifier.", "qa_outputs.")
# The MLM head in transformers' way and in Microsoft's. A table has one of them, and reads files with the other.
_LEGACY = {
    "transform": "cls.predictions.transform.dense",
    "layer_norm": "cls.predictions.transform.LayerNorm",
    "bias": "cls.predictions.bias",
}
_ORIGINAL = {
    "transform": "lm_predictions.lm_head.dense",
    "layer_norm": "lm_predictions.lm_head.LayerNorm",
    "bias": "lm_predictions.lm_head.bias",
}
# v3's discriminator learns what it adds to its generator's tables; files such as v3-xsmall's and mDeBERTa's keep it.
_ADDED = "the discriminator's change of the generator's table, which the table beside it holds already"
_ALIKE = [("bias", ""), *((part, end) for part in ("transform", "layer_norm") for end in (".weight", ".bias"))]
ALIASES = {
    **{f"{_LEGACY[part]}{end}": f"{_ORIGINAL[part]}{end}" for part, end in _ALIKE},
    **{f"{_ORIGINAL[part]}{end}": f"{_LEGACY[part]}{end}" for part, end in _ALIKE},
    "cls.predictions.decoder.bias": "cls.predictions.bias",
}


def rows(config: EncoderConfig, task: str) -> list[Row]:
    """The table of an encoder and every head.

    Args:
        config: of the encoder.
        task: what the checkpoint is for.
    """
    return [
        *embedding_rows(config),
        *layer_norm("encoder.LayerNorm", "relative_positions/layer_norm"),
        *(row for i in range(config.num_hidden_layers) for row in _block_rows(i)),
        Row("encoder.conv.conv.weight", "convolution/kernel", transposed=True),
        Row("encoder.conv.conv.bias", "convolution/bias"),
        *layer_norm("encoder.conv.LayerNorm", "convolution/layer_norm"),
        *mlm_rows(config),
        *layer_norm("mask_predictions.LayerNorm", "rtd_head/layer_norm"),
        *dense("mask_predictions.dense", "rtd_head/transform"),
        *dense("mask_predictions.classifier", "rtd_head/dense"),
        *classifier_rows(task),
    ]


def embedding_rows(config: EncoderConfig) -> list[Row]:
    """The rows of the tables; absolute positions that the encoder does not take are the mask decoder's."""
    positions = "embeddings" if config.position_biased_input else "mask_decoder"
    return [
        Row("embeddings.position_ids"),
        Row("embeddings.word_embeddings.weight", "embeddings/token_embedding"),
        Row("embeddings.position_embeddings.weight", f"{positions}/position_embedding"),
        Row("embeddings.word_embeddings._weight", unread=_ADDED),
        Row("embeddings.position_embeddings._weight", unread=_ADDED),
        Row("embeddings.token_type_embeddings.weight", "embeddings/segment_embedding"),
        *layer_norm("embeddings.LayerNorm", "embeddings/layer_norm"),
        Row("encoder.rel_embeddings.weight", "relative_positions/table"),
    ]


def mlm_rows(config: EncoderConfig) -> list[Row]:
    """The rows of the MLM head, by the names that transformers gives it for the config's `legacy`."""
    names = _LEGACY if config.extra.get("legacy", True) else _ORIGINAL
    return [
        *dense(names["transform"], "mlm_head/transform"),
        *layer_norm(names["layer_norm"], "mlm_head/layer_norm"),
        Row(names["bias"], "mlm_head/bias"),
        Row("cls.predictions.decoder.bias", tied_to=names["bias"]),
        Row("cls.predictions.decoder.weight", tied_to="embeddings.word_embeddings.weight"),
    ]


def classifier_rows(task: str) -> list[Row]:
    """The rows of the heads with classes."""
    return [
        *dense("pooler.dense", "classification_pooler/dense"),
        *dense("classifier", f"{CLASSIFIERS.get(task, 'classification_head')}/dense"),
        *dense("qa_outputs", "answer_head/dense"),
    ]


def _block_rows(i: int) -> list[Row]:
    theirs, ours = f"encoder.layer.{i}", f"block_{i}"
    parts = {
        "query_proj": "query",
        "key_proj": "key",
        "value_proj": "value",
        "pos_key_proj": "position_key",
        "pos_query_proj": "position_query",
    }
    return [
        *(
            row
            for name, part in parts.items()
            for row in dense(f"{theirs}.attention.self.{name}", f"{ours}/attention/{part}")
        ),
        *output_rows(theirs, ours),
    ]
