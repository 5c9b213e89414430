"""ELECTRA's tensors by the names of Hugging Face's folders, the prefix `electra.` left out.

Source: the state dictionaries of transformers' ElectraForPreTraining, ElectraForMaskedLM and so on.
"""

from bert_keras.config import EncoderConfig
from bert_keras.weights.bert import CLASSIFIERS, block_rows, embedding_rows
from bert_keras.weights.table import Row, dense, layer_norm

PREFIX = "electra."
HEADS = (
    "discriminator_predictions.",
    "generator_predictions.",
    "generator_lm_head.",
    "sequence_summary.",
    "classifier.",
    "qa_outputs.",
)
ALIASES: dict[str, str] = {}


def rows(config: EncoderConfig, task: str) -> list[Row]:
    """The table of an encoder and every head.

    Args:
        config: of the encoder.
        task: what the checkpoint is for.
    """
    pooler = "sequence_summary.summary" if task == "multiple-choice" else "classifier.dense"
    return [
        *embedding_rows(),
        *dense("embeddings_project", "embedding_projection"),
        *(row for i in range(config.num_hidden_layers) for row in block_rows(i)),
        *dense("generator_predictions.dense", "mlm_head/transform"),
        *layer_norm("generator_predictions.LayerNorm", "mlm_head/layer_norm"),
        Row("generator_lm_head.bias", "mlm_head/bias"),
        Row("generator_lm_head.weight", tied_to="embeddings.word_embeddings.weight"),
        *dense("discriminator_predictions.dense", "rtd_head/transform"),
        *dense("discriminator_predictions.dense_prediction", "rtd_head/dense"),
        *dense(pooler, "classification_pooler/dense"),
        *dense("classifier.out_proj", "classification_head/dense"),
        *dense("classifier", f"{CLASSIFIERS.get(task, 'token_head')}/dense"),
        *dense("qa_outputs", "answer_head/dense"),
    ]
