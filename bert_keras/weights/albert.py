"""ALBERT's tensors by the names of Hugging Face's folders, the prefix `albert.` left out.

Source: the state dictionaries of transformers' AlbertForPreTraining, AlbertForSequenceClassification and so on.
"""

from bert_keras.config import EncoderConfig
from bert_keras.weights.bert import CLASSIFIERS, embedding_rows
from bert_keras.weights.table import Row, dense, layer_norm

PREFIX = "albert."
HEADS = ("predictions.", "sop_classifier.", "classifier.", "qa_outputs.")
ALIASES = {"predictions.decoder.bias": "predictions.bias"}


def rows(config: EncoderConfig, task: str) -> list[Row]:
    """The table of an encoder and every head.

    Args:
        config: of the encoder.
        task: what the checkpoint is for.
    """
    return [
        *embedding_rows(),
        *dense("encoder.embedding_hidden_mapping_in", "embedding_projection"),
        *(row for i in range(config.num_blocks) for row in _block_rows(i)),
        *dense("pooler", "pooler/dense"),
        *dense("predictions.dense", "mlm_head/transform"),
        *layer_norm("predictions.LayerNorm", "mlm_head/layer_norm"),
        Row("predictions.bias", "mlm_head/bias"),
        Row("predictions.decoder.bias", tied_to="predictions.bias"),
        Row("predictions.decoder.weight", tied_to="embeddings.word_embeddings.weight"),
        *dense("sop_classifier.classifier", "nsp_head/dense"),
        *dense("classifier", f"{CLASSIFIERS.get(task, 'classification_head')}/dense"),
        *dense("qa_outputs", "answer_head/dense"),
    ]


def _block_rows(i: int) -> list[Row]:
    theirs, ours = f"encoder.albert_layer_groups.{i}.albert_layers.0", f"block_{i}"
    return [
        *(
            row
            for part in ("query", "key", "value")
            for row in dense(f"{theirs}.attention.{part}", f"{ours}/attention/{part}")
        ),
        *dense(f"{theirs}.attention.dense", f"{ours}/attention/output"),
        *layer_norm(f"{theirs}.attention.LayerNorm", f"{ours}/attention_layer_norm"),
        *dense(f"{theirs}.ffn", f"{ours}/intermediate"),
        *dense(f"{theirs}.ffn_output", f"{ours}/output"),
        *layer_norm(f"{theirs}.full_layer_layer_norm", f"{ours}/output_layer_norm"),
    ]
