"""Models from folders and hub ids, and back: config + weights + tokenizer (+ head)."""

import dataclasses
import json
import logging
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import keras
from safetensors.numpy import save as to_safetensors

from bert_keras import tasks, weights
from bert_keras.config import EncoderConfig
from bert_keras.encoder import config_of, encoder
from bert_keras.errors import InputError
from bert_keras.families import FAMILIES
from bert_keras.files import output_folder
from bert_keras.text import Tokenizer
from bert_keras.weights import bert as table
from bert_keras.weights.safetensors_file import SafetensorsFile

if TYPE_CHECKING:
    from bert_keras.weights.tf1_checkpoint import Tf1Checkpoint

_log = logging.getLogger("bert_keras")

# What the class in config.json's `architectures` is for.
_ARCHITECTURES = {
    "BertModel": "feature-extraction",
    "BertForMaskedLM": "fill-mask",
    "BertForNextSentencePrediction": "next-sentence-prediction",
    "BertForPreTraining": "pretraining",
    "BertForSequenceClassification": "text-classification",
}
_ARCHITECTURE_OF = {use: name for name, use in _ARCHITECTURES.items()} | {"sentence-similarity": "BertModel"}
# Keys of config.json that are read beside those of EncoderConfig.
_KINDS = {
    "model_type": str,
    "position_embedding_type": str,
    "architectures": list,
    "id2label": dict,
    "bert_keras": dict,
}
_KIND_NAMES = {str: "a text", list: "a list", dict: "an object with names and values"}
# Their `classifier` is no head for whole texts.
_OTHER_CLASSIFIERS = {"BertForMultipleChoice", "BertForTokenClassification"}
_POOLING_FILE = "1_Pooling/config.json"  # of sentence-transformers
# Not `*.safetensors`: other files of that kind may be a model's shards or copies, which are not read.
_HUB_FILES = [
    "config.json",
    "model.safetensors",
    "model.safetensors.index.json",
    "vocab.txt",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    _POOLING_FILE,
]


@dataclasses.dataclass(frozen=True)
class _Checkpoint:
    """A checkpoint on disk: where it is, its config, and its tensors by their names in the file."""

    source: str
    folder: Path
    config: EncoderConfig
    tensors: "SafetensorsFile | Tf1Checkpoint"
    skipped: list[str]


def load(
    source: str | os.PathLike, task: str | None = None, labels: Sequence[str] | None = None
) -> tuple[keras.Model, Tokenizer]:
    """Load a model and its tokenizer.

    Args:
        source: a folder of Hugging Face's layout (config.json, model.safetensors, tokenizer files), a hub id such as
            `google-bert/bert-base-uncased`, or a Google checkpoint of TensorFlow 1 (the folder or the
            `bert_model.ckpt` in it).
        task: a name of `bert_keras.tasks.TASKS`; without it the head that the checkpoint holds, or the encoder.
        labels: names of the classes for text-classification, in the order of the logits; they rename those of a head
            that the checkpoint holds.

    Returns:
        A functional `keras.Model` and a `Tokenizer`.

    Raises:
        InputError: the source is not found, of another architecture, incomplete or damaged; or the head asked for
            has another number of labels than the checkpoint's, or the same in another order.
    """
    model, tokenizer, report = load_with_report(source, task, labels)
    if report.new:
        # A new head is what a caller who names a task expects; a new pooler under it is not.
        level = logging.WARNING if "pooler/dense/kernel" in report.new else logging.INFO
        _log.log(level, "%s: newly initialised, to be trained: %s", source, ", ".join(report.new))
    return model, tokenizer


def load_with_report(
    source: str | os.PathLike, task: str | None = None, labels: Sequence[str] | None = None
) -> tuple[keras.Model, Tokenizer, weights.Report]:
    """`load`, with what became of every tensor.

    Args:
        source: as for `load`.
        task: as for `load`.
        labels: as for `load`.

    Returns:
        The model, the tokenizer and a `bert_keras.weights.Report`.

    Raises:
        InputError: as for `load`.
    """
    checkpoint = _open(source)
    names = table.canonical(checkpoint.tensors, checkpoint.source)
    _check_sizes(checkpoint, names)
    if task is None:
        task = _task(checkpoint, set(names))
    if task not in tasks.TASKS:
        raise InputError(f"no task is named {task!r}; known are {', '.join(tasks.TASKS)}")
    tokenizer = Tokenizer.from_folder(checkpoint.folder)
    if len(tokenizer.vocabulary) > checkpoint.config.vocab_size:
        raise InputError(
            f"{checkpoint.folder}: the vocabulary has {len(tokenizer.vocabulary)} pieces, but the token table only "
            f"{checkpoint.config.vocab_size} rows (vocab_size): these are files of different models"
        )
    if task == "sentence-similarity":
        _check_pooling(checkpoint.folder)
    base = encoder(checkpoint.config)
    if task == "text-classification":
        model = tasks.text_classification(base, _labels(checkpoint, names, labels))
    else:
        model = tasks.TASKS[task](base)
    rows = table.rows(checkpoint.config.num_hidden_layers)
    report = weights.apply(model, checkpoint.tensors, names, rows, table.OPTIONAL, checkpoint.source)
    report.ignored |= dict.fromkeys(checkpoint.skipped, "the optimizer's")
    return model, tokenizer, report


def save(model: keras.Model, tokenizer: Tokenizer, folder: str | os.PathLike, force: bool = False) -> None:
    """Write a folder that `load` and transformers open: config.json, model.safetensors, tokenizer files.

    A sentence-similarity model has no pooler; transformers' BertModel says so and makes one, which the mean ignores.

    Args:
        model: a model of `load` or of a task.
        tokenizer: its tokenizer.
        folder: the folder to make.
        force: replace an existing folder.

    Raises:
        InputError: the folder exists and `force` is false, the model is not one of ours or holds NaN, or the
            tokenizer is another model's.
    """
    task, labels, config = tasks.task_of(model), tasks.labels_of(model), config_of(model)
    if len(tokenizer.vocabulary) > config.vocab_size:
        raise InputError(
            f"the tokenizer has {len(tokenizer.vocabulary)} pieces, the model's token table only {config.vocab_size} "
            f"rows: pass the tokenizer that belongs to the model"
        )
    tensors = weights.collect(model, table.rows(config.num_hidden_layers))
    architecture = _ARCHITECTURE_OF[task]
    if architecture != "BertModel":
        heads = ("cls.", "classifier.")
        tensors = {name if name.startswith(heads) else f"bert.{name}": array for name, array in tensors.items()}
    values = {**config.to_dict(), "architectures": [architecture], "dtype": "float32"}
    values.pop("torch_dtype", None)
    # transformers ignores the key; it tells `load` of tasks that have no architecture there.
    values["bert_keras"] = {"task": task}
    if labels is not None:
        values["id2label"] = {str(i): label for i, label in enumerate(labels)}
        values["label2id"] = {label: i for i, label in enumerate(labels)}
    with output_folder(folder, force) as new:
        (new / "config.json").write_text(json.dumps(values, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        # Not save_file: its file only the owner may read, and a full disk is no OSError there.
        (new / "model.safetensors").write_bytes(to_safetensors(tensors, metadata={"format": "pt"}))
        tokenizer.save(new)


def _open(source: str | os.PathLike) -> _Checkpoint:
    path = Path(source)
    if Path(f"{path}.index").is_file():
        return _open_tf1(path)
    if not path.exists():
        path = _download(str(source))
    if not path.is_dir():
        raise InputError(f"{path} is a file: pass the folder that holds config.json and model.safetensors")
    if (path / "config.json").is_file():
        return _open_folder(path)
    prefixes = sorted(path.glob("*.ckpt*.index"))
    if (path / "bert_config.json").is_file() and prefixes:
        if len(prefixes) > 1:
            raise InputError(
                f"{path} holds several checkpoints: pass one of them, such as {prefixes[-1].with_suffix('')}"
            )
        return _open_tf1(prefixes[0].with_suffix(""))
    raise InputError(
        f"{path} is no model: neither config.json with model.safetensors nor bert_config.json with bert_model.ckpt "
        f"are in it"
    )


def _open_folder(folder: Path) -> _Checkpoint:
    file = folder / "model.safetensors"
    values = _read_json(folder / "config.json")
    _check_family(values, folder)
    if not file.is_file():
        if (folder / "model.safetensors.index.json").is_file():
            raise InputError(f"{folder}: sharded safetensors cannot be read yet; save the model in one file")
        pickles = [name for name in ("pytorch_model.bin", "model.pt") if (folder / name).is_file()]
        if pickles:
            raise InputError(
                f"{folder / pickles[0]} is a torch pickle, which can run code when it is opened and is not read: save "
                f"it as safetensors with transformers (model.save_pretrained(folder, safe_serialization=True))"
            )
        raise InputError(
            f"{folder}: model.safetensors is missing; a model that has other weights only must be saved as safetensors "
            f"with transformers first (model.save_pretrained(folder))"
        )
    return _Checkpoint(str(file), folder, _config(values, folder / "config.json"), SafetensorsFile(file), [])


def _open_tf1(prefix: Path) -> _Checkpoint:
    from bert_keras.weights.tf1_checkpoint import Tf1Checkpoint

    file = prefix.parent / "bert_config.json"
    if not file.is_file():
        raise InputError(f"{prefix}: bert_config.json is missing beside the checkpoint")
    values = {"model_type": "bert", **_read_json(file)}
    # Google's code computes `gelu` by its tanh approximation (google-research/bert `modeling.py`).
    if values.get("hidden_act") == "gelu":
        values["hidden_act"] = "gelu_new"
    checkpoint = Tf1Checkpoint(prefix)
    return _Checkpoint(str(prefix), prefix.parent, _config(values, file), checkpoint, checkpoint.skipped)


def _download(source: str) -> Path:
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", source):
        raise InputError(f"{source} does not exist: pass a model's folder or a hub id such as name/model")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(source, allow_patterns=_HUB_FILES))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(
            f"{source} is neither a folder nor a model that the hub gives or the cache holds ({reason})"
        ) from error


def _read_json(file: Path) -> dict[str, Any]:
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is not JSON: {error}") from error
    if not isinstance(values, dict):
        raise InputError(f"{file} holds no JSON object")
    return values


def _check_family(values: Mapping[str, Any], folder: Path) -> None:
    for key, kind in _KINDS.items():
        if not isinstance(values.get(key), kind | None):
            raise InputError(f"{folder / 'config.json'}: {key} is {values[key]!r}; it must be {_KIND_NAMES[kind]}")
    family = values.get("model_type", "bert")
    if family not in FAMILIES:
        raise InputError(f"{folder}: the model is of the family {family!r}; this version loads {', '.join(FAMILIES)}")
    position_embedding = values.get("position_embedding_type", "absolute")
    if position_embedding != "absolute":
        raise InputError(f"{folder}: position_embedding_type {position_embedding!r} is not supported, only 'absolute'")
    if values.get("is_decoder"):
        raise InputError(f"{folder}: the model is a decoder (is_decoder), whose tokens see only those before them")


def _check_pooling(folder: Path) -> None:
    file = folder / _POOLING_FILE
    if file.is_file() and not _read_json(file).get("pooling_mode_mean_tokens", True):
        raise InputError(
            f"{file}: the model's sentence vectors are not the mean of its tokens, the only kind of this version; "
            f"load it with task='feature-extraction' and pool its outputs"
        )


def _config(values: Mapping[str, Any], file: Path) -> EncoderConfig:
    try:
        return EncoderConfig.from_dict(values)
    except InputError as error:
        raise InputError(f"{file}: {error}") from error


def _check_sizes(checkpoint: _Checkpoint, names: Mapping[str, str]) -> None:
    """Refuse sizes that are not the file's before a model of them is made: it may be far too large for any memory."""
    config, source = checkpoint.config, checkpoint.source
    found = {int(match[1]) for match in (re.match(r"encoder\.layer\.(\d+)\.", name) for name in names) if match}
    if found != set(range(min(config.num_hidden_layers, len(found) + 1))):
        raise InputError(
            f"{source} has the tensors of {len(found)} blocks; its config asks for "
            f"num_hidden_layers = {config.num_hidden_layers}"
        )
    sizes = {
        "embeddings.word_embeddings.weight": (config.vocab_size, config.hidden_size),
        "embeddings.position_embeddings.weight": (config.max_position_embeddings, config.hidden_size),
        "embeddings.token_type_embeddings.weight": (config.type_vocab_size, config.hidden_size),
        "encoder.layer.0.intermediate.dense.weight": (config.intermediate_size, config.hidden_size),
    }
    for name, shape in sizes.items():
        if name in names and checkpoint.tensors.shape(names[name]) != shape:
            raise InputError(
                f"{source}: {names[name]} has the shape {checkpoint.tensors.shape(names[name])}; "
                f"config.json asks for {shape}"
            )


def _task(checkpoint: _Checkpoint, names: set[str]) -> str:
    told = (checkpoint.config.extra.get("bert_keras") or {}).get("task")
    if isinstance(told, str) and told in tasks.TASKS:
        return told
    for architecture in map(str, checkpoint.config.extra.get("architectures") or []):
        if architecture in _ARCHITECTURES:
            return _ARCHITECTURES[architecture]
        raise InputError(
            f"{checkpoint.folder}: this version has no head for {architecture}; "
            f"pass task='feature-extraction' for the encoder alone"
        )
    if "classifier.weight" in names:
        return "text-classification"
    heads = ("cls.predictions.bias" in names, "cls.seq_relationship.weight" in names)
    return {
        (True, True): "pretraining",
        (True, False): "fill-mask",
        (False, True): "next-sentence-prediction",
        (False, False): "feature-extraction",
    }[heads]


def _labels(checkpoint: _Checkpoint, names: Mapping[str, str], labels: Sequence[str] | None) -> Sequence[str]:
    if "classifier.weight" not in names:
        if labels is None:
            raise InputError(f"{checkpoint.folder} holds no classification head: pass labels=[...] for a new one")
        return labels
    other = _OTHER_CLASSIFIERS.intersection(map(str, checkpoint.config.extra.get("architectures") or []))
    if other:
        raise InputError(
            f"{checkpoint.folder}: its classifier is that of {', '.join(other)}: for a new head load it with "
            f"task='feature-extraction' and call bert_keras.tasks.text_classification(model, labels)"
        )
    count = checkpoint.tensors[names["classifier.weight"]].shape[0]
    named = checkpoint.config.extra.get("id2label") or {}
    own = [str(named.get(str(i), f"LABEL_{i}")) for i in range(count)]
    if labels is not None and len(labels) != count:
        raise InputError(
            f"{checkpoint.folder}: its head has {count} labels ({', '.join(own)}), not {len(labels)}: for a new head "
            f"load it with task='feature-extraction' and call bert_keras.tasks.text_classification(model, labels)"
        )
    if labels is not None and set(labels) == set(own) and list(labels) != own:
        raise InputError(
            f"{checkpoint.folder}: its head has the labels in the order {', '.join(own)}, not {', '.join(labels)}: "
            f"leave labels out, or pass them in that order"
        )
    return own if labels is None else labels
