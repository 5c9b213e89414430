"""RoBERTa's and XLM-R's tensors by the names of Hugging Face's folders, the prefix `roberta.` left out.

Source: the state dictionaries of transformers' RobertaForMaskedLM, RobertaForSequenceClassification and so on.
"""

from bert_keras.config import EncoderConfig
from bert_keras.weights.bert import CLASSIFIERS, block_rows, embedding_rows
from bert_keras.weights.table import Row, dense, layer_norm

PREFIX = "roberta."
HEADS = ("lm_head.", "classifier.", "qa_outputs.")
ALIASES = {"lm_head.decoder.bias": "lm_head.bias"}


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
        *dense("lm_head.dense", "mlm_head/transform"),
        *layer_norm("lm_head.layer_norm", "mlm_head/layer_norm"),
        Row("lm_head.bias", "mlm_head/bias"),
        Row("lm_head.decoder.bias", tied_to="lm_head.bias"),
        Row("lm_head.decoder.weight", tied_to="embeddings.word_embeddings.weight"),
        *dense("classifier.dense", "classification_pooler/dense"),
        *dense("classifier.out_proj", "classification_head/dense"),
        *dense("classifier", f"{CLASSIFIERS.get(task, 'token_head')}/dense"),
        *dense("qa_outputs", "answer_head/dense"),
    ]
