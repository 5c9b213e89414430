"""DistilBERT's tensors by the names of Hugging Face's folders, the prefix `distilbert.` left out.

Source: the state dictionaries of transformers' DistilBertForMaskedLM, DistilBertForSequenceClassification and so on.
"""

from bert_keras.config import EncoderConfig
from bert_keras.weights.bert import CLASSIFIERS
from bert_keras.weights.table import Row, dense, layer_norm

PREFIX = "distilbert."
HEADS = ("vocab_transform.", "vocab_layer_norm.", "vocab_projector.", "pre_classifier.", "classifier.", "qa_outputs.")
ALIASES: dict[str, str] = {}


def rows(config: EncoderConfig, task: str) -> list[Row]:
    """The table of an encoder and every head.

    Args:
        config: of the encoder.
        task: what the checkpoint is for.
    """
    return [
        Row("embeddings.position_ids"),
        Row("embeddings.word_embeddings.weight", "embeddings/token_embedding"),
        Row("embeddings.position_embeddings.weight", "embeddings/position_embedding"),
        *layer_norm("embeddings.LayerNorm", "embeddings/layer_norm"),
        *(row for i in range(config.num_hidden_layers) for row in _block_rows(i)),
        *dense("vocab_transform", "mlm_head/transform"),
        *layer_norm("vocab_layer_norm", "mlm_head/layer_norm"),
        Row("vocab_projector.bias", "mlm_head/bias"),
        Row("vocab_projector.weight", tied_to="embeddings.word_embeddings.weight"),
        *dense("pre_classifier", "classification_pooler/dense"),
        *dense("classifier", f"{CLASSIFIERS.get(task, 'classification_head')}/dense"),
        *dense("qa_outputs", "answer_head/dense"),
    ]


def _block_rows(i: int) -> list[Row]:
    theirs, ours = f"transformer.layer.{i}", f"block_{i}"
    parts = {"q_lin": "query", "k_lin": "key", "v_lin": "value", "out_lin": "output"}
    return [
        *(
            row
            for name, part in parts.items()
            for row in dense(f"{theirs}.attention.{name}", f"{ours}/attention/{part}")
        ),
        *layer_norm(f"{theirs}.sa_layer_norm", f"{ours}/attention_layer_norm"),
        *dense(f"{theirs}.ffn.lin1", f"{ours}/intermediate"),
        *dense(f"{theirs}.ffn.lin2", f"{ours}/output"),
        *layer_norm(f"{theirs}.output_layer_norm", f"{ours}/output_layer_norm"),
    ]
