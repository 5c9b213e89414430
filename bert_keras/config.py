"""What makes one encoder differ from another, in the vocabulary of the checkpoints' own config.json."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from bert_keras.errors import InputError

ACTIVATIONS = ("gelu", "gelu_new", "gelu_pytorch_tanh", "relu", "silu", "swish", "tanh")


@dataclasses.dataclass(frozen=True)
class EncoderConfig:
    """The hyperparameters of an encoder, named as in Hugging Face's config.json (Devlin et al. 2018, section 3).

    Args:
        vocab_size: V, rows of the token table.
        hidden_size: H, width of a hidden state; a multiple of `num_attention_heads`.
        num_hidden_layers: number of encoder blocks.
        num_attention_heads: A, heads of each attention.
        intermediate_size: I, width inside the feed-forward network.
        hidden_act: activation; `gelu` is the exact one (erf), `gelu_new` the tanh approximation.
        hidden_dropout_prob: dropout after the embeddings and after each sublayer.
        attention_probs_dropout_prob: dropout of the attention probabilities.
        max_position_embeddings: P, rows of the position table, the longest L.
        type_vocab_size: T, rows of the segment table.
        initializer_range: standard deviation of the truncated normal initializer.
        layer_norm_eps: epsilon of every LayerNorm.
        pad_token_id: id that fills a batch; padding itself is told by the mask alone.
        model_type: the family's name.
        extra: keys of a checkpoint's config that this class does not know, kept to be written back.

    Raises:
        InputError: a value that no encoder can have, with its key.
    """

    vocab_size: int = 30522
    hidden_size: int = 768
    num_hidden_layers: int = 12
    num_attention_heads: int = 12
    intermediate_size: int = 3072
    hidden_act: str = "gelu"
    hidden_dropout_prob: float = 0.1
    attention_probs_dropout_prob: float = 0.1
    max_position_embeddings: int = 512
    type_vocab_size: int = 2
    initializer_range: float = 0.02
    layer_norm_eps: float = 1e-12
    pad_token_id: int = 0
    model_type: str = "bert"
    extra: dict[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        for key in _POSITIVE:
            value = getattr(self, key)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError(f"config: {key} is {value!r}; it must be a positive whole number")
        for key in ("hidden_dropout_prob", "attention_probs_dropout_prob"):
            value = getattr(self, key)
            if not isinstance(value, int | float) or not 0 <= value < 1:
                raise InputError(f"config: {key} is {value!r}; it must be at least 0 and under 1")
        for key in ("initializer_range", "layer_norm_eps"):
            value = getattr(self, key)
            if not isinstance(value, int | float) or not value > 0:  # NaN is not over 0 either
                raise InputError(f"config: {key} is {value!r}; it must be over 0")
        if self.hidden_act not in ACTIVATIONS:
            raise InputError(f"config: hidden_act is {self.hidden_act!r}; known are {', '.join(ACTIVATIONS)}")
        if self.hidden_size % self.num_attention_heads:
            raise InputError(
                f"config: hidden_size {self.hidden_size} is not a multiple of "
                f"num_attention_heads {self.num_attention_heads}"
            )

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "EncoderConfig":
        """Make a config from the keys of a config.json; keys that are not ours go to `extra`.

        Args:
            values: the parsed file.

        Raises:
            InputError: a known key holds a value that no encoder can have.
        """
        own = {field.name for field in dataclasses.fields(cls)} - {"extra"}
        known = {key: value for key, value in values.items() if key in own}
        return cls(**known, extra={key: value for key, value in values.items() if key not in own})

    def to_dict(self) -> dict[str, Any]:
        """All keys as plain values, those of `extra` included: what config.json holds."""
        values = dataclasses.asdict(self)
        return {**values.pop("extra"), **values}


_POSITIVE = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
)
