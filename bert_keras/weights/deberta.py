"""DeBERTa's tensors by the names of Hugging Face's folders, the prefix `deberta.` left out.

Source: the state dictionaries of transformers' DebertaForMaskedLM, DebertaForSequenceClassification and so on.
"""

from bert_keras.config import EncoderConfig
from bert_keras.weights.bert import output_rows
from bert_keras.weights.deberta_v2 import ALIASES, PREFIX, classifier_rows, embedding_rows, mlm_rows
from bert_keras.weights.table import Part, Row

__all__ = ["ALIASES", "HEADS", "PREFIX", "rows"]

HEADS = ("cls.", "lm_predictions.", "pooler.", "classifier.", "qa_outputs.")


def rows(config: EncoderConfig, task: str) -> list[Row]:
    """The table of an encoder and every head.

    Args:
        config: of the encoder.
        task: what the checkpoint is for.
    """
    return [
        *embedding_rows(config),
        *(row for i in range(config.num_hidden_layers) for row in _block_rows(i, config.num_attention_heads)),
        *mlm_rows(config),
        *classifier_rows(task),
    ]


def _block_rows(i: int, heads: int) -> list[Row]:
    theirs, ours = f"encoder.layer.{i}.attention.self", f"block_{i}/attention"
    # One matrix holds the query, key and value of the first head, then those of the second, …
    fused = [
        Row(f"{theirs}.in_proj.weight", f"{ours}/{name}/kernel", transposed=True, part=Part(index, 3, heads))
        for index, name in enumerate(("query", "key", "value"))
    ]
    return [
        *fused,
        Row(f"{theirs}.q_bias", f"{ours}/query/bias"),
        Row(f"{theirs}.v_bias", f"{ours}/value/bias"),
        Row(f"{theirs}.pos_proj.weight", f"{ours}/position_key/kernel", transposed=True),
        Row(f"{theirs}.pos_q_proj.weight", f"{ours}/position_query/kernel", transposed=True),
        Row(f"{theirs}.pos_q_proj.bias", f"{ours}/position_query/bias"),
        *output_rows(f"encoder.layer.{i}", f"block_{i}"),
    ]
