"""The head of multi-label classification. B batch, H hidden, C classes."""

from typing import Any

import keras

from bert_keras.layers.classification_head import ClassificationHead


@keras.saving.register_keras_serializable(package="bert_keras")
class MultiLabelHead(ClassificationHead):
    """Dropout and a dense layer over the pooled output, a yes or no for each class.

    Args:
        labels: the C names, in the order of the logits.
        dropout: rate on the pooled output.
        initializer_range: standard deviation of the kernel at the start.
        windows: long texts are read in windows and their scores averaged; kept here for who reads texts.
        thresholds: the probability from which each class is answered, C numbers; kept here for who reads answers.
            0.5 each if None.

    Call:
        pooled_output: `[B, H]`.
        Returns logits `[B, C]`, float32 under every precision policy.
    """

    def __init__(
        self,
        labels: list[str],
        dropout: float,
        initializer_range: float,
        windows: bool = False,
        thresholds: list[float] | None = None,
        **kwargs: Any,
    ):
        super().__init__(labels, dropout, initializer_range, windows, **kwargs)
        self.initializer_range = initializer_range
        self.thresholds = [0.5] * len(labels) if thresholds is None else [float(value) for value in thresholds]

    def get_config(self) -> dict[str, Any]:
        # Keras would save what the constructor was given; thresholds are tuned after training.
        return {
            **super().get_config(),
            "labels": self.labels,
            "dropout": self.dropout.rate,
            "initializer_range": self.initializer_range,
            "windows": self.windows,
            "thresholds": self.thresholds,
        }
