"""Checks what enters the encoder and turns the padding mask into an attention bias, once for all blocks."""

from typing import Any

import keras
import tensorflow as tf

from bert_keras.config import EncoderConfig
from bert_keras.errors import InputError

# Added to the scores of padding in float32, where exp(-6e4 + any score) is exactly 0. Keras casts what enters a layer
# to half precision under a mixed policy: float16 holds -6e4, but turns -1e9 into -inf and a row that is all padding
# into 0/0.
_MASKED = -6e4


@keras.saving.register_keras_serializable(package="bert_keras")
class EncoderInputs(keras.layers.Layer):
    """Checks ids against the tables' sizes and makes the additive attention bias of the padding mask.

    It also carries the model's whole config, so that a reloaded model knows what it is.

    Args:
        config: `EncoderConfig.to_dict()`.

    Call:
        token_ids: `[B, L]` int.
        padding_mask: `[B, L]` bool, int or float; 1 marks text, 0 padding.
        segment_ids: `[B, L]` int; for an encoder that takes segments.
        Returns the bias `[B, 1, 1, L]` (float32), token ids and, if they were given, segment ids (int32).

    Raises:
        InputError: L is over what the position table has rows for.
        tf.errors.InvalidArgumentError: the same, or an id over its table, found while the graph runs.
    """

    def __init__(self, config: dict[str, Any], **kwargs: Any):
        super().__init__(**kwargs)
        self.config = config
        self.parsed = EncoderConfig.from_dict(config)

    def call(self, token_ids: Any, padding_mask: Any, segment_ids: Any = None) -> tuple[Any, ...]:
        config = self.parsed
        length, limit = token_ids.shape[1], config.max_length
        if length is not None and length > limit:
            raise InputError(
                f"the input is {length} tokens long, but the position table has {limit} rows for tokens: shorten the "
                f"texts to max_length={limit}"
            )
        keep = keras.ops.cast(padding_mask, "bool")[:, None, None, :]
        checked = [_checked(token_ids, config.vocab_size, "token_ids", "vocab_size", limit)]
        if segment_ids is not None:
            checked.append(_checked(segment_ids, config.type_vocab_size, "segment_ids", "type_vocab_size", limit))
        return tf.where(keep, 0.0, _MASKED), *checked

    def compute_output_spec(self, token_ids: Any, padding_mask: Any, segment_ids: Any = None) -> Any:
        batch, length = token_ids.shape
        checked = 1 if segment_ids is None else 2
        ids = (keras.KerasTensor((batch, length), "int32") for _ in range(checked))
        return keras.KerasTensor((batch, 1, 1, length), "float32"), *ids


def _checked(ids: Any, rows: int, name: str, key: str, limit: int) -> Any:
    ids = keras.ops.cast(ids, "int32")
    # Some devices look up zeros for an id beyond the table; the comparison reads B·L integers only.
    checks = [
        tf.debugging.assert_non_negative(ids, message=f"{name}: an id is negative; {key} = {rows}"),
        tf.debugging.assert_less(ids, rows, message=f"{name}: an id is not under {key} = {rows}"),
        tf.debugging.assert_less_equal(
            tf.shape(ids)[1], limit, message=f"{name}: longer than the position table of {limit} rows"
        ),
    ]
    with tf.control_dependencies([check for check in checks if check is not None]):
        return tf.identity(ids)
