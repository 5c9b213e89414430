"""The head of text classification. B batch, H hidden, C classes."""

from typing import Any

import keras

from bert_keras.errors import yes_or_no
from bert_keras.layers.label_head import LabelHead


@keras.saving.register_keras_serializable(package="bert_keras")
class ClassificationHead(LabelHead):
    """Dropout and a dense layer over the pooled output (Devlin et al. 2018, section 4.1).

    Args:
        labels: the C names, in the order of the logits.
        dropout: rate on the pooled output.
        initializer_range: standard deviation of the kernel at the start.
        windows: long texts are read in windows whose scores are averaged; kept here for who reads texts.

    Call:
        pooled_output: `[B, H]`.
        Returns logits `[B, C]`, float32 under every precision policy.

    Raises:
        InputError: `windows` is neither true nor false.
    """

    def __init__(
        self, labels: list[str], dropout: float, initializer_range: float, windows: bool = False, **kwargs: Any
    ):
        super().__init__(labels, dropout, initializer_range, **kwargs)
        self.windows = yes_or_no(windows, "windows")
