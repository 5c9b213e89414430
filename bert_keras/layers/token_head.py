"""The head of token classification. B batch, L length, H hidden, C classes."""

import keras

from bert_keras.layers.label_head import LabelHead


@keras.saving.register_keras_serializable(package="bert_keras")
class TokenHead(LabelHead):
    """Dropout and a dense layer over every token (Devlin et al. 2018, section 5.3).

    Args:
        labels: the C names, in the order of the logits.
        dropout: rate on the hidden states.
        initializer_range: standard deviation of the kernel at the start.

    Call:
        sequence_output: `[B, L, H]`.
        Returns logits `[B, L, C]`, float32 under every precision policy.
    """
