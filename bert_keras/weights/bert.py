"""BERT's tensors by the names of Hugging Face's folders, the prefix `bert.` left out.

Source: the state dictionaries of transformers' BertForPreTraining, BertForSequenceClassification and so on.
"""

from bert_keras.config import EncoderConfig
from bert_keras.weights.table import Row, dense, layer_norm

PREFIX = "bert."
# Tensors without the prefix.
HEADS = ("cls.", "classifier.", "qa_outputs.")
# Newer files name the decoder's bias so, older ones otherwise, some have both; it is added once.
ALIASES = {"cls.predictions.decoder.bias": "cls.predictions.bias"}
# What `classifier` is in the file of a task; in others it is the head of text-classification.
CLASSIFIERS = {"multiple-choice": "choice_head", "token-classification": "token_head"}


def rows(config: EncoderConfig, task: str) -> list[Row]:
    """The table of an encoder and every head.

    Args:
        config: of the encoder.
        task: what the checkpoint is for.
    """
    return [
        *embedding_rows(),
        *(row for i in range(config.num_hidden_layers) for row in block_rows(i)),
        *dense("pooler.dense", "pooler/dense"),
        *dense("cls.predictions.transform.dense", "mlm_head/transform"),
        *layer_norm("cls.predictions.transform.LayerNorm", "mlm_head/layer_norm"),
        Row("cls.predictions.bias", "mlm_head/bias"),
        Row("cls.predictions.decoder.bias", tied_to="cls.predictions.bias"),
        Row("cls.predictions.decoder.weight", tied_to="embeddings.word_embeddings.weight"),
        *dense("cls.seq_relationship", "nsp_head/dense"),
        *dense("classifier", f"{CLASSIFIERS.get(task, 'classification_head')}/dense"),
        *dense("qa_outputs", "answer_head/dense"),
    ]


def embedding_rows() -> list[Row]:
    """The rows of the tables and their LayerNorm, which most families name alike."""
    return [
        Row("embeddings.position_ids"),
        Row("embeddings.token_type_ids"),
        Row("embeddings.word_embeddings.weight", "embeddings/token_embedding"),
        Row("embeddings.position_embeddings.weight", "embeddings/position_embedding"),
        Row("embeddings.token_type_embeddings.weight", "embeddings/segment_embedding"),
        *layer_norm("embeddings.LayerNorm", "embeddings/layer_norm"),
    ]


def block_rows(i: int) -> list[Row]:
    """The rows of block i, which several families name alike."""
    theirs, ours = f"encoder.layer.{i}", f"block_{i}"
    return [
        *(
            row
            for part in ("query", "key", "value")
            for row in dense(f"{theirs}.attention.self.{part}", f"{ours}/attention/{part}")
        ),
        *output_rows(theirs, ours),
    ]


def output_rows(theirs: str, ours: str) -> list[Row]:
    """The rows of a block without the projections that enter its attention."""
    return [
        *dense(f"{theirs}.attention.output.dense", f"{ours}/attention/output"),
        *layer_norm(f"{theirs}.attention.output.LayerNorm", f"{ours}/attention_layer_norm"),
        *dense(f"{theirs}.intermediate.dense", f"{ours}/intermediate"),
        *dense(f"{theirs}.output.dense", f"{ours}/output"),
        *layer_norm(f"{theirs}.output.LayerNorm", f"{ours}/output_layer_norm"),
    ]
