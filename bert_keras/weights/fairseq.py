"""Opens fairseq's RoBERTa checkpoints under the names and the config of Hugging Face's folders.

Sources: facebookresearch/fairseq `models/roberta/model.py`, `data/dictionary.py`; the names in Hugging Face's folders:
the state dict of transformers' RobertaForMaskedLM. The LayerNorms of fairseq have torch's epsilon.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.errors import InputError
from bert_keras.weights.tensor_file import TensorFile
from bert_keras.weights.torch_file import TorchFile
from bert_keras.weights.torch_pickle import Placeholder

_SPECIALS = ["<s>", "<pad>", "</s>", "<unk>"]
_MASK = "<mask>"
# What fairseq's modules save beside the weights.
_CONSTANT = re.compile(r"(^|\.)(version|_float_tensor)$")
_STACKED = re.compile(r"(.*)\.self_attn\.in_proj_(weight|bias)")
# Patterns of fairseq's names, behind the class's `decoder.` or `encoder.`, and what Hugging Face writes instead.
_RENAMED = [
    (r"sentence_encoder\.embed_tokens\.", "roberta.embeddings.word_embeddings."),
    (r"sentence_encoder\.embed_positions\.", "roberta.embeddings.position_embeddings."),
    (r"sentence_encoder\.(emb_layer_norm|layernorm_embedding)\.", "roberta.embeddings.LayerNorm."),
    (r"sentence_encoder\.layers\.(\d+)\.", r"roberta.encoder.layer.\1."),
    (r"\.self_attn\.q_proj\.", ".attention.self.query."),
    (r"\.self_attn\.k_proj\.", ".attention.self.key."),
    (r"\.self_attn\.v_proj\.", ".attention.self.value."),
    (r"\.self_attn\.out_proj\.", ".attention.output.dense."),
    (r"\.self_attn_layer_norm\.", ".attention.output.LayerNorm."),
    (r"\.fc1\.", ".intermediate.dense."),
    (r"\.fc2\.", ".output.dense."),
    (r"\.final_layer_norm\.", ".output.LayerNorm."),
    (r"^lm_head\.weight$", "lm_head.decoder.weight"),
    (r"^classification_heads\.[^.]+\.", "classifier."),
]
_SEGMENTS = "roberta.embeddings.token_type_embeddings.weight"


class FairseqRoberta(TensorFile):
    """The weights of a fairseq RoBERTa by Hugging Face's names; each is read when asked for, as float32.

    A name that is unknown here is given out as it is, so that whoever applies the weights can name it.

    Args:
        file: the checkpoint, opened.

    Attributes:
        skipped: names of the constants in the file.

    Raises:
        InputError: the file holds no RoBERTa, or several classification heads.
    """

    def __init__(self, file: TorchFile):
        self._file = file
        self.skipped = [name for name in file if _CONSTANT.search(name)]
        # Name -> name in the file, first row and number of rows (None: all of them).
        self._places: dict[str, tuple[str, int, int | None]] = {}
        for original in file:
            if not _CONSTANT.search(original):
                self._add(original)
        self._held = {**self._places, _SEGMENTS: None}
        for name in ("roberta.embeddings.word_embeddings.weight", "roberta.embeddings.position_embeddings.weight"):
            if len(self.shape(name) if name in self._places else ()) != 2:
                raise InputError(f"{file.path} is no RoBERTa of fairseq: it has no matrix for {name}")

    def __getitem__(self, name: str) -> np.ndarray:
        if name == _SEGMENTS:
            # fairseq's model has no segments; Hugging Face's has one, which adds nothing.
            return np.zeros(self.shape(name), np.float32)
        original, start, rows = self._places[name]
        tensor = self._file[original]
        return tensor if rows is None else tensor[start : start + rows]

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor, without reading it."""
        if name == _SEGMENTS:
            return (1, self.shape("roberta.embeddings.word_embeddings.weight")[1])
        original, _, rows = self._places[name]
        shape = self._file.shape(original)
        return shape if rows is None else (rows, *shape[1:])

    def _add(self, original: str) -> None:
        name = re.sub(r"^(decoder|encoder)\.", "", original)
        stacked = _STACKED.fullmatch(name)
        if stacked is None:
            self._set(_translated(name), (original, 0, None))
            return
        # Query, key and value in one matrix, one below the other.
        rows, rest = divmod((self._file.shape(original) or (1,))[0], 3)
        if rest:
            raise InputError(f"{self._file.path}: {original} does not hold query, key and value of equal sizes")
        for i, part in enumerate("qkv"):
            name = f"{stacked[1]}.self_attn.{part}_proj.{stacked[2]}"
            self._set(_translated(name), (original, i * rows, rows))

    def _set(self, name: str, place: tuple[str, int, int | None]) -> None:
        if name in self._places:
            raise InputError(f"{self._file.path}: both {self._places[name][0]} and {place[0]} would be {name}")
        self._places[name] = place


def open_fairseq(path: Path) -> tuple[dict[str, Any], FairseqRoberta, list[str]]:
    """Open a RoBERTa that fairseq trained.

    Args:
        path: the `.pt` file, with `dict.txt` beside it; or a folder that holds one `.pt` file and `dict.txt`.

    Returns:
        The values of Hugging Face's config.json, the tensors by Hugging Face's names, and the vocabulary by id.

    Raises:
        InputError: a file is missing, damaged or of another architecture, or the vocabulary is another model's.
    """
    path = _checkpoint(path)
    file = TorchFile(path, part="model")
    tensors = FairseqRoberta(file)
    vocabulary = _vocabulary(path.parent / "dict.txt")
    size = tensors.shape("roberta.embeddings.word_embeddings.weight")[0]
    if len(vocabulary) != size:
        raise InputError(
            f"{path.parent / 'dict.txt'} makes a vocabulary of {len(vocabulary)} pieces, but {path.name} has {size}: "
            f"these are files of different models"
        )
    return _config(_arguments(file), tensors, path), tensors, vocabulary


def _checkpoint(path: Path) -> Path:
    if not path.is_dir():
        return path
    files = sorted(path.glob("*.pt"))
    if not files:
        raise InputError(f"{path} holds no .pt file")
    if len(files) > 1:
        raise InputError(f"{path} holds several .pt files: pass one of them, such as {files[0]}")
    return files[0]


def _translated(name: str) -> str:
    for pattern, replacement in _RENAMED:
        name = re.sub(pattern, replacement, name)
    return name


def _vocabulary(file: Path) -> list[str]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{file} is missing beside the checkpoint: it holds the vocabulary") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8: it cannot be fairseq's vocabulary") from error
    vocabulary = list(_SPECIALS)
    for number, line in enumerate(lines, 1):
        # `#fairseq:overwrite` behind a line allows a piece that the specials have too.
        symbol, _, count = line.removesuffix(" #fairseq:overwrite").rpartition(" ")
        if not symbol or not count.isdecimal():
            raise InputError(f"{file}, line {number}: {line[:50]!r} is not a piece, a space and a count")
        vocabulary.append(symbol)
    return vocabulary if _MASK in vocabulary else [*vocabulary, _MASK]


def _arguments(file: TorchFile) -> dict[str, Any]:
    # Older files have a Namespace `args`, later ones a dict `cfg` with the model's under `model`.
    values = file.contents.get("args")
    if values is None and isinstance(file.contents.get("cfg"), dict):
        values = file.contents["cfg"].get("model")
    if isinstance(values, Placeholder):
        values = values.state
    if not isinstance(values, dict):
        raise InputError(f"{file.path}: neither args nor cfg says how the model was built")
    return values


def _config(arguments: Mapping[str, Any], tensors: FairseqRoberta, path: Path) -> dict[str, Any]:
    def argument(name: str, kinds: type | tuple[type, ...], default: Any = None) -> Any:
        value = arguments.get(name, default)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise InputError(f"{path}: the argument {name} of the training is {value!r}; it must be a number or a name")
        return value

    activation = argument("activation_fn", str)
    if activation != "gelu":
        raise InputError(f"{path}: activation_fn is {activation!r}; only gelu is read from fairseq's files")
    blocks = {
        int(match[1]) for match in (re.match(r"roberta\.encoder\.layer\.(\d+)\.", name) for name in tensors) if match
    }
    vocab_size, hidden_size = tensors.shape("roberta.embeddings.word_embeddings.weight")
    dropout = argument("dropout", (int, float))
    values = {
        "model_type": "roberta",
        "vocab_size": vocab_size,
        "hidden_size": hidden_size,
        "num_hidden_layers": len(blocks),
        "num_attention_heads": argument("encoder_attention_heads", int),
        "intermediate_size": argument("encoder_ffn_embed_dim", int),
        "hidden_act": "gelu",
        "hidden_dropout_prob": dropout,
        "attention_probs_dropout_prob": argument("attention_dropout", (int, float)),
        "classifier_dropout": argument("pooler_dropout", (int, float), 0.0),
        # The first positions, up to the id of <pad>, are never used.
        "max_position_embeddings": tensors.shape("roberta.embeddings.position_embeddings.weight")[0],
        "type_vocab_size": 1,
        "layer_norm_eps": 1e-5,
        "bos_token_id": 0,
        "pad_token_id": 1,
        "eos_token_id": 2,
    }
    if "classifier.out_proj.weight" in tensors:
        activation = argument("pooler_activation_fn", str, "tanh")
        if activation != "tanh":
            raise InputError(f"{path}: pooler_activation_fn is {activation!r}; only tanh is read from fairseq's files")
        values["architectures"] = ["RobertaForSequenceClassification"]
    elif "lm_head.dense.weight" in tensors:
        values["architectures"] = ["RobertaForMaskedLM"]
    return values
