"""Finds out what a source is, and opens it: the config, the tensors by Hugging Face's names, the tokenizer's folder."""

import dataclasses
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bert_keras import sentence_modules
from bert_keras.config import EncoderConfig
from bert_keras.errors import InputError
from bert_keras.families import FAMILIES
from bert_keras.weights import Row, canonical
from bert_keras.weights.json_file import read_json
from bert_keras.weights.safetensors_file import SafetensorsFile
from bert_keras.weights.sharded_file import ShardedFile
from bert_keras.weights.tensor_file import TensorFile
from bert_keras.weights.torch_file import TorchFile

# Keys of config.json that are read beside those of EncoderConfig.
_KINDS = {
    "model_type": str,
    "position_embedding_type": str,
    "architectures": list,
    "id2label": dict,
    "bert_keras": dict,
}
_KIND_NAMES = {str: "a text", list: "a list", dict: "an object with names and values"}
_LFS_POINTER = b"version https://git-lfs"
_HUB_FILES = [
    "config.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "spiece.model",
    "spm.model",
    "sentencepiece.bpe.model",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    *sentence_modules.PATTERNS,
]
# Not `*.safetensors`: other files of that kind may be copies, which are not read.
_HUB_SAFETENSORS = ["model.safetensors", "model.safetensors.index.json", "model-*-of-*.safetensors"]
_HUB_TORCH = ["pytorch_model.bin", "pytorch_model.bin.index.json", "pytorch_model-*-of-*.bin"]


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """A checkpoint on disk.

    Args:
        source: its weights' file, for messages.
        folder: where its tokenizer's files are.
        config: of the encoder.
        tensors: name in the file -> array, read when asked for; `shape(name)` tells a shape without reading.
        names: name in the family's table -> name in the file.
        skipped: name in the file -> why it is no weight of the model.
        tokenizer_files: name -> bytes of the tokenizer's files as Hugging Face's folders have them, where the folder
            has others.
    """

    source: str
    folder: Path
    config: EncoderConfig
    tensors: TensorFile
    names: dict[str, str]
    skipped: dict[str, str]
    tokenizer_files: Mapping[str, bytes] | None = None

    def rows(self, task: str) -> list[Row]:
        """The table of the family for a checkpoint of a task."""
        return FAMILIES[self.config.model_type].TABLE.rows(self.config, task)


def open_checkpoint(source: str | os.PathLike, generator: bool = False) -> Checkpoint:
    """Open what `bert_keras.load` takes.

    Args:
        source: as for `bert_keras.load`.
        generator: of Google's ELECTRA checkpoints, which hold two models, open the generator.

    Raises:
        InputError: the source is not found, of another architecture, incomplete or damaged.
    """
    path = Path(source)
    if Path(f"{path}.index").is_file():
        return _open_tf1(path, generator)
    if not path.exists():
        path = _download(str(source))
    if path.suffix == ".pt":
        return _open_fairseq(path)
    if not path.is_dir():
        raise InputError(f"{path} is a file: pass the folder that holds config.json and model.safetensors")
    if (path / "config.json").is_file():
        return _open_folder(path)
    prefixes = sorted(file.with_name(file.name.removesuffix(".index")) for file in path.glob("*.index"))
    if len(prefixes) > 1:
        raise InputError(f"{path} holds several checkpoints: pass one of them, such as {prefixes[-1]}")
    if prefixes:
        return _open_tf1(prefixes[0], generator)
    if (path / "dict.txt").is_file():
        return _open_fairseq(path)
    raise InputError(
        f"{path} is no model: neither config.json with model.safetensors or pytorch_model.bin, a KerasHub preset, "
        f"bert_config.json with bert_model.ckpt, nor dict.txt with a .pt file are in it"
    )


def holds_checkpoint(folder: Path) -> bool:
    """Whether a folder holds what `open_checkpoint` looks for.

    Args:
        folder: an existing folder.
    """
    return any((folder / name).is_file() for name in ("config.json", "dict.txt")) or any(folder.glob("*.index"))


def _open_folder(folder: Path) -> Checkpoint:
    file = folder / "config.json"
    values = read_json(file)
    if "registered_name" in values:
        return _open_preset(folder)
    _check_kinds(values, file)
    for name, opened in _FORMATS.items():
        if (folder / name).is_file():
            _refuse_pointer(folder / name)
            return _checked(str(folder / name), folder, values, file, opened(folder / name), {})
    raise InputError(f"{folder}: the weights are missing; beside config.json there must be {' or '.join(_FORMATS)}")


def _refuse_pointer(file: Path) -> None:
    """Name what stands in a file's place where a repository was cloned without its large files, or a copy failed."""
    with file.open("rb") as opened:
        start = opened.read(len(_LFS_POINTER))
    if start == _LFS_POINTER:
        raise InputError(f"{file} is a pointer of git-lfs, not the file itself: run `git lfs pull` in its repository")
    if not start:
        raise InputError(f"{file} is empty: copy it again")


# File of a folder's weights -> how it is opened, the best first.
_FORMATS: dict[str, Callable[[Path], TensorFile]] = {
    "model.safetensors": SafetensorsFile,
    "model.safetensors.index.json": ShardedFile,
    "pytorch_model.bin": TorchFile,
    "pytorch_model.bin.index.json": ShardedFile,
}


def _open_preset(folder: Path) -> Checkpoint:
    from bert_keras.weights.keras_hub import open_preset

    preset = open_preset(folder)
    source, file = str(folder / "model.weights.h5"), folder / "config.json"
    return _checked(source, folder, preset.config, file, preset.tensors, preset.skipped, preset.tokenizer_files)


def _open_tf1(prefix: Path, generator: bool) -> Checkpoint:
    from bert_keras.weights.tf1_checkpoint import Tf1Checkpoint, config_values

    part = "generator" if generator and Tf1Checkpoint(prefix).family == "electra" else None
    tensors, values = Tf1Checkpoint(prefix, part), config_values(prefix, part)
    return _checked(str(prefix), prefix.parent, values, prefix, tensors, tensors.skipped)


def _open_fairseq(path: Path) -> Checkpoint:
    from bert_keras.weights.fairseq import open_fairseq
    from bert_keras.weights.fairseq_tokenizer import tokenizer_files

    values, tensors, vocabulary = open_fairseq(path)
    folder = path if path.is_dir() else path.parent
    skipped = dict.fromkeys(tensors.skipped, "a constant, not a weight")
    return _checked(str(path), folder, values, path, tensors, skipped, tokenizer_files(folder, vocabulary))


def _checked(
    source: str,
    folder: Path,
    values: Mapping[str, Any],
    file: Path,
    tensors: TensorFile,
    skipped: dict[str, str],
    tokenizer_files: Mapping[str, bytes] | None = None,
) -> Checkpoint:
    family = FAMILIES[values.get("model_type", "bert")]
    try:
        config = family.encoder_config(values)
    except (InputError, TypeError) as error:
        raise InputError(f"{file}: {error}") from error
    known = {row.name for row in family.TABLE.rows(_few_blocks(config), "")}
    aliases = {alias: name for alias, name in family.TABLE.ALIASES.items() if name in known}
    names = canonical(tensors, source, family.TABLE.PREFIX, aliases)
    checkpoint = Checkpoint(source, folder, config, tensors, names, skipped, tokenizer_files)
    _check_sizes(checkpoint)
    return checkpoint


def _download(source: str) -> Path:
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", source):
        raise InputError(f"{source} does not exist: pass a model's folder or a hub id such as name/model")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(source, allow_patterns=[*_HUB_FILES, *_HUB_SAFETENSORS]))
        if not any((folder / name).is_file() for name in _HUB_SAFETENSORS):
            folder = Path(snapshot_download(source, allow_patterns=[*_HUB_FILES, *_HUB_TORCH]))
        return folder
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(
            f"{source} is neither a folder nor a model that the hub gives or the cache holds ({reason})"
        ) from error


def _check_kinds(values: Mapping[str, Any], file: Path) -> None:
    for key, kind in _KINDS.items():
        if not isinstance(values.get(key), kind | None):
            raise InputError(f"{file}: {key} is {values[key]!r}; it must be {_KIND_NAMES[kind]}")
    family = values.get("model_type", "bert")
    if family not in FAMILIES:
        raise InputError(f"{file}: the model is of the family {family!r}; this version loads {', '.join(FAMILIES)}")
    position_embedding = values.get("position_embedding_type", "absolute")
    if position_embedding != "absolute":
        raise InputError(f"{file}: position_embedding_type {position_embedding!r} is not supported, only 'absolute'")
    if values.get("is_decoder"):
        raise InputError(f"{file}: the model is a decoder (is_decoder), whose tokens see only those before them")


def _few_blocks(config: EncoderConfig) -> EncoderConfig:
    # A config may ask for more blocks than any memory holds rows for.
    return dataclasses.replace(config, num_hidden_layers=2, num_hidden_groups=None)


def _check_sizes(checkpoint: Checkpoint) -> None:
    """Refuse sizes that are not the file's before a model of them is made: it may be far too large for any memory."""
    config, source, names = checkpoint.config, checkpoint.source, checkpoint.names
    matches = (re.search(r"\b(?:layer|albert_layer_groups)\.(\d+)\.", name) for name in names)
    found = {int(match[1]) for match in matches if match}
    if found != set(range(min(config.num_blocks, len(found) + 1))):
        key = "num_hidden_layers" if config.num_hidden_groups is None else "num_hidden_groups"
        raise InputError(
            f"{source} has the tensors of {len(found)} blocks; its config asks for {key} = {config.num_blocks}"
        )
    sizes = {
        "embeddings/token_embedding": (config.vocab_size, config.table_width),
        "embeddings/position_embedding": (config.max_position_embeddings, config.table_width),
        "embeddings/segment_embedding": (config.type_vocab_size, config.table_width),
        "block_0/intermediate/kernel": (config.intermediate_size, config.hidden_size),
    }
    for row in FAMILIES[config.model_type].TABLE.rows(_few_blocks(config), "feature-extraction"):
        shape = sizes.get(row.variable)
        if shape and row.name in names and checkpoint.tensors.shape(names[row.name]) != shape:
            raise InputError(
                f"{source}: {names[row.name]} has the shape {checkpoint.tensors.shape(names[row.name])}; "
                f"config.json asks for {shape}"
            )
