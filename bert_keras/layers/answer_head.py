"""The head of extractive question answering. B batch, L length, H hidden."""

from typing import Any

import keras

from bert_keras.errors import finite_number, yes_or_no
from bert_keras.layers.initializer import truncated_normal


@keras.saving.register_keras_serializable(package="bert_keras")
class AnswerHead(keras.layers.Layer):
    """Dropout, a logit of each token as the answer's first and one as its last (Devlin et al. 2018, section 4.2).

    Args:
        dropout: rate on the hidden states.
        initializer_range: standard deviation of the kernel at the start.
        no_answer: the model was trained to find that a text holds no answer; kept here for who reads answers.
        null_threshold: how much better than the best answer no answer must score to be given; kept likewise.

    Call:
        sequence_output: `[B, L, H]`.
        Returns logits of the start and of the end, `[B, L]` each, float32 under every precision policy.

    Raises:
        InputError: `no_answer` is neither true nor false, or `null_threshold` no number.
    """

    def __init__(
        self,
        dropout: float,
        initializer_range: float,
        no_answer: bool = False,
        null_threshold: float = 0.0,
        **kwargs: Any,
    ):
        super().__init__(**{"dtype": "float32", **kwargs})
        self.initializer_range = initializer_range
        self.no_answer = yes_or_no(no_answer, "no_answer")
        self.null_threshold = finite_number(null_threshold, "null_threshold")
        self.dropout = keras.layers.Dropout(dropout, dtype=self.dtype_policy, name="dropout")
        self.dense = keras.layers.Dense(
            2, kernel_initializer=truncated_normal(initializer_range), dtype=self.dtype_policy, name="dense"
        )

    def build(self, sequence_output_shape: Any) -> None:
        self.dense.build(sequence_output_shape)
        self.built = True

    def call(self, sequence_output: Any, training: bool | None = None) -> tuple[Any, Any]:
        logits = self.dense(self.dropout(sequence_output, training=training))
        return logits[..., 0], logits[..., 1]

    def get_config(self) -> dict[str, Any]:
        # Keras would save what the constructor was given; both are found after training.
        return {
            **super().get_config(),
            "dropout": self.dropout.rate,
            "initializer_range": self.initializer_range,
            "no_answer": self.no_answer,
            "null_threshold": self.null_threshold,
        }
