"""What tasks of one label among C share: outputs, loss and accuracy. B batch, C classes."""

from typing import Any

import keras
import tensorflow as tf

from bert_keras.losses import CountedAccuracy, MeanCrossEntropy


def class_scores(logits: Any) -> dict[str, Any]:
    """Probabilities beside logits `[..., C]`."""
    logits = tf.cast(logits, tf.float32)
    return {"probabilities": tf.nn.softmax(logits), "logits": logits}


def one_label_a_token(model: keras.Model) -> dict[str, Any]:
    """Cross entropy and accuracy of an index for each position `[B, L]` that has one."""
    return {"loss": MeanCrossEntropy(), "weighted_metrics": [CountedAccuracy()]}


def one_label(model: keras.Model) -> dict[str, Any]:
    """Cross entropy and accuracy of an index `[B]`."""
    return {"loss": MeanCrossEntropy(), "metrics": [CountedAccuracy()]}
