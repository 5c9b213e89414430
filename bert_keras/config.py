"""What makes one encoder differ from another, in the vocabulary of the checkpoints' own config.json."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from bert_keras.errors import InputError

ACTIVATIONS = ("gelu", "gelu_new", "gelu_pytorch_tanh", "relu", "silu", "swish", "tanh")


@dataclasses.dataclass(frozen=True)
class Disentangled:
    """What DeBERTa's attention by relative positions needs (He et al. 2020, section 3.1).

    Args:
        max_relative_positions: distances beyond it are like it.
        position_buckets: buckets of each direction, wider with the distance; 0: every distance has a row of its own.
        pos_att_type: which products with positions are added: `c2p`, `p2c`.
        share_att_key: positions use the projections of the content; else they have their own.
        key_bias: the projections of keys have a bias.
        norm_rel_ebd: the table of relative positions passes through a LayerNorm.
        conv_kernel_size: width of the convolution beside the first block; 0 for none.
        conv_act: its activation.
    """

    max_relative_positions: int = 512
    position_buckets: int = 0
    pos_att_type: tuple[str, ...] = ("c2p", "p2c")
    share_att_key: bool = False
    key_bias: bool = True
    norm_rel_ebd: bool = False
    conv_kernel_size: int = 0
    conv_act: str = "tanh"

    def __post_init__(self) -> None:
        object.__setattr__(self, "pos_att_type", tuple(self.pos_att_type))  # JSON gives a list
        for key, least in (("max_relative_positions", 1), ("position_buckets", 0), ("conv_kernel_size", 0)):
            value = getattr(self, key)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InputError(f"config: {key} is {value!r}; it must be a whole number, at least {least}")
        unknown = set(self.pos_att_type) - {"c2p", "p2c"}
        if unknown:
            raise InputError(f"config: pos_att_type names {', '.join(sorted(unknown))}; known are c2p, p2c")
        if self.conv_act not in ACTIVATIONS:
            raise InputError(f"config: conv_act is {self.conv_act!r}; known are {', '.join(ACTIVATIONS)}")

    @property
    def table_rows(self) -> int:
        """2k, rows of the table of relative positions."""
        return 2 * (self.position_buckets or self.max_relative_positions)


@dataclasses.dataclass(frozen=True)
class EncoderConfig:
    """The hyperparameters of an encoder, named as in Hugging Face's config.json (Devlin et al. 2018, section 3).

    Families that name them otherwise are translated in `bert_keras.families`.

    Args:
        vocab_size: V, rows of the token table.
        hidden_size: H, width of a hidden state; a multiple of `num_attention_heads`.
        num_hidden_layers: number of encoder blocks.
        num_attention_heads: A, heads of each attention.
        intermediate_size: I, width inside the feed-forward network.
        hidden_act: activation; `gelu` is the exact one (erf), `gelu_new` the tanh approximation.
        hidden_dropout_prob: dropout after the embeddings and after each sublayer.
        attention_probs_dropout_prob: dropout of the attention probabilities.
        max_position_embeddings: P, rows of the position table.
        type_vocab_size: T, rows of the segment table; with 0 or 1 the encoder takes no segments.
        initializer_range: standard deviation of the truncated normal initializer.
        layer_norm_eps: epsilon of every LayerNorm.
        pad_token_id: id that fills a batch; padding itself is told by the mask alone.
        model_type: the family's name.
        embedding_size: E, width of the tables where a projection to H follows them; None: H, without a projection.
        num_hidden_groups: distinct blocks, each used for as many layers as the next, rounded; None: all are distinct.
        position_offset: rows of the position table before that of the first token; if there are any, positions count
            the tokens of the text alone, and padding has the row before the first.
        position_biased_input: positions are part of the embeddings.
        pooler: the encoder has a pooler.
        classifier_act: activation of the dense layer that text-classification has of its own over the first token;
            None: it reads the pooler's output.
        classifier_dropout: dropout before the logits of classes; None: `hidden_dropout_prob`.
        classifier_pooler_dropout: dropout before that dense layer; None: the one before the logits.
        classifier_dropout_tasks: tasks that have these two dropouts; other heads of classes have `hidden_dropout_prob`
            before the logits alone.
        answer_dropout: dropout before the logits of question-answering.
        attention_output_dropout: dropout after the attention's output; None: `hidden_dropout_prob`.
        mlm_act: activation in the MLM head; None: `hidden_act`.
        disentangled: attention by relative positions instead of BERT's.
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
    embedding_size: int | None = None
    num_hidden_groups: int | None = None
    position_offset: int = 0
    position_biased_input: bool = True
    pooler: bool = True
    classifier_act: str | None = None
    classifier_dropout: float | None = None
    classifier_pooler_dropout: float | None = None
    classifier_dropout_tasks: tuple[str, ...] = ("text-classification", "token-classification", "multiple-choice")
    answer_dropout: float = 0.0
    attention_output_dropout: float | None = None
    mlm_act: str | None = None
    disentangled: Disentangled | None = None
    extra: dict[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "classifier_dropout_tasks", tuple(self.classifier_dropout_tasks))  # JSON gives a list
        optional = {key for key in ("embedding_size", "num_hidden_groups") if getattr(self, key) is not None}
        for key in (*_POSITIVE, *sorted(optional)):
            value = getattr(self, key)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError(f"config: {key} is {value!r}; it must be a positive whole number")
        for key in ("type_vocab_size", "pad_token_id", "position_offset"):
            value = getattr(self, key)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise InputError(f"config: {key} is {value!r}; it must be a whole number, at least 0")
        optional = {key for key in _OPTIONAL_DROPOUTS if getattr(self, key) is not None}
        for key in ("hidden_dropout_prob", "attention_probs_dropout_prob", "answer_dropout", *sorted(optional)):
            value = getattr(self, key)
            if not isinstance(value, int | float) or not 0 <= value < 1:
                raise InputError(f"config: {key} is {value!r}; it must be at least 0 and under 1")
        for key in ("initializer_range", "layer_norm_eps"):
            value = getattr(self, key)
            if not isinstance(value, int | float) or not 0 < value < math.inf:  # NaN is not over 0 either
                raise InputError(f"config: {key} is {value!r}; it must be over 0")
        for key in ("hidden_act", "classifier_act", "mlm_act"):
            value = getattr(self, key)
            if value not in ACTIVATIONS and (key == "hidden_act" or value is not None):
                raise InputError(f"config: {key} is {value!r}; known are {', '.join(ACTIVATIONS)}")
        if self.hidden_size % self.num_attention_heads:
            raise InputError(
                f"config: hidden_size {self.hidden_size} is not a multiple of "
                f"num_attention_heads {self.num_attention_heads}"
            )
        if self.num_blocks > self.num_hidden_layers:
            raise InputError(
                f"config: num_hidden_groups {self.num_hidden_groups} is over num_hidden_layers {self.num_hidden_layers}"
            )
        if self.position_offset >= self.max_position_embeddings:
            raise InputError(
                f"config: max_position_embeddings {self.max_position_embeddings} leaves no position for a token; the "
                f"first one is {self.position_offset}"
            )

    @property
    def max_length(self) -> int:
        """The most tokens that the position table has rows for."""
        return self.max_position_embeddings - self.position_offset

    @property
    def num_blocks(self) -> int:
        """How many distinct blocks there are."""
        return self.num_hidden_groups or self.num_hidden_layers

    @property
    def table_width(self) -> int:
        """E, the width of the token table."""
        return self.embedding_size or self.hidden_size

    @property
    def has_segments(self) -> bool:
        """Whether the encoder takes segment ids."""
        return self.type_vocab_size > 1

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "EncoderConfig":
        """Make a config from the names of the fields; keys that are not ours go to `extra`.

        Args:
            values: what `to_dict` returned; a config.json is translated by its family, `bert_keras.families`.

        Raises:
            InputError: a known key holds a value that no encoder can have.
        """
        own = {field.name for field in dataclasses.fields(cls)} - {"extra"}
        known = {key: value for key, value in values.items() if key in own}
        if isinstance(known.get("disentangled"), Mapping):
            known["disentangled"] = Disentangled(**known["disentangled"])
        return cls(**known, extra={key: value for key, value in values.items() if key not in own})

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain values, the keys of `extra` among them."""
        values = {**dataclasses.asdict(self), "classifier_dropout_tasks": list(self.classifier_dropout_tasks)}
        if self.disentangled is not None:
            values["disentangled"]["pos_att_type"] = list(self.disentangled.pos_att_type)
        return {**values.pop("extra"), **values}


_POSITIVE = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
)
_OPTIONAL_DROPOUTS = ("classifier_dropout", "classifier_pooler_dropout", "attention_output_dropout")
