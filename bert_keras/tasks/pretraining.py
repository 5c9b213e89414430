"""BERT's two objectives in one model."""

from typing import Any

import keras
from keras import ops

from bert_keras.encoder import config_of, rows, token_table
from bert_keras.layers import NspHead
from bert_keras.losses import CountedAccuracy, MeanCrossEntropy
from bert_keras.tasks.fill_mask import mlm_head
from bert_keras.tasks.pooled import pooled_output
from bert_keras.tasks.task import Task


def pretraining(encoder: keras.Model) -> keras.Model:
    """A model of `mlm` logits `[B, K, V]` and `nsp` logits `[B, 2]` (Devlin et al. 2018, section 3.1).

    The inputs are the encoder's and `masked_positions` `[B, K]`. The last block computes the first token and the
    masked positions only: nothing else is read.

    Args:
        encoder: a model of `bert_keras.encoder`.

    Raises:
        InputError: the encoder has no pooler.
    """
    pooled_output(encoder, "pretraining")
    positions = keras.Input((None,), dtype="int32", name="masked_positions")
    read = rows(encoder, ops.concatenate([ops.zeros_like(positions[:, :1]), positions], axis=1))
    nsp_head = NspHead(config_of(encoder).initializer_range, name="nsp_head")
    outputs = {
        "mlm": mlm_head(encoder)(read[:, 1:], token_table(encoder)),
        "nsp": nsp_head(encoder.get_layer("pooler")(read)),
    }
    return keras.Model({**encoder.input, "masked_positions": positions}, outputs, name="pretraining")


def _objective(model: keras.Model) -> dict[str, Any]:
    # Keras adds the two up, the total of the paper, and reports mlm_loss and nsp_loss beside it.
    return {
        "loss": {"mlm": MeanCrossEntropy(), "nsp": MeanCrossEntropy()},
        "weighted_metrics": {"mlm": [CountedAccuracy()], "nsp": [CountedAccuracy()]},
    }


PRETRAINING = Task(name="pretraining", build=pretraining, heads=("mlm_head", "nsp_head"), objective=_objective)
