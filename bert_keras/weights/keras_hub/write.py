"""Writes a preset: KerasHub's own model is built, filled by the rows and saved by its own `save_to_preset`."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError, refuse_not_finite
from bert_keras.files import output_folder
from bert_keras.weights.keras_hub.families import BY_MODEL_TYPE
from bert_keras.weights.keras_hub.rows import Family, Head, Row, to_keras_hub
from bert_keras.weights.keras_hub.tokenizer_files import keras_hub_tokenizer
from bert_keras.weights.table import Report

# Mean and unit length are what KerasHub's has by default and sentence-similarity here.
_EMBEDDER = Head("TextEmbedder", ())


def write_preset(
    values: Mapping[str, Any],
    tensors: Mapping[str, np.ndarray],
    tokenizer_files: Mapping[str, bytes],
    folder: str | os.PathLike,
    force: bool = False,
) -> Report:
    """Write a preset that KerasHub's `from_preset` opens.

    Args:
        values: those of Hugging Face's config.json; `architectures` says whether there is a head.
        tensors: Hugging Face's name, with or without the family's prefix -> float32 array, matrices `[out, in]`.
        tokenizer_files: name of a file in a Hugging Face folder -> its bytes; empty for a preset without tokenizer.
        folder: the folder to make.
        force: replace an earlier result of this package.

    Returns:
        What became of every tensor; `new` holds KerasHub's variables that were not given, `ignored` keys of the config
            too that a preset cannot say.

    Raises:
        InputError: KerasHub has no such model, a tensor is missing, of another shape or not finite, or `folder` exists.
    """
    family = _family(values)
    try:
        config = family.keras_hub_config(values)
    except KeyError as error:
        raise InputError(f"the config of the {family.model_type} model lacks {error}") from None
    models = _models()
    head = _head(family, values)
    tokenizer = keras_hub_tokenizer(models, family.name, tokenizer_files)
    model = getattr(models, f"{family.name}Backbone")(**config, dtype="float32")
    rows = family.rows(values)
    if head:
        rows = [*rows, *head.rows]
        model = _task(models, family, head, model, tokenizer, values, tensors)
    report = _fill(model, tensors, rows, family)
    report.ignored |= _untold(values)
    if head is None and (values.get("bert_keras") or {}).get("task") == "sentence-similarity":
        kind = "with these options" if family.embedder else f"of {family.name}"
        report.ignored["pooling"] = f"KerasHub has no embedder {kind}; the encoder alone is written"
    with output_folder(folder, force) as new:
        model.save_to_preset(str(new))
        if tokenizer and not head:
            tokenizer.save_to_preset(str(new))
    return report


def _family(values: Mapping[str, Any]) -> Family:
    model_type = values.get("model_type")
    if model_type not in BY_MODEL_TYPE:
        raise InputError(f"KerasHub has no model of the family {model_type!r}; it has {', '.join(BY_MODEL_TYPE)}")
    return BY_MODEL_TYPE[model_type]


def _mean_of_unit_length(values: Mapping[str, Any]) -> bool:
    """Whether a model of vectors makes them as KerasHub does."""
    told = values["bert_keras"]
    options = told.get("pooling", "mean"), told.get("normalize", True), told.get("dimensions")
    return options == ("mean", True, None)


def _models() -> Any:
    try:
        from keras_nlp import models
    except ImportError as error:
        raise InputError(f"KerasHub is not installed here ({error}): pip install keras-nlp") from error
    return models


def _head(family: Family, values: Mapping[str, Any]) -> Head | None:
    if (values.get("bert_keras") or {}).get("task") == "sentence-similarity":
        return _EMBEDDER if family.embedder and _mean_of_unit_length(values) else None
    if values.get("problem_type"):
        raise InputError(
            f"KerasHub's classifiers choose one of several labels, this one is for {values['problem_type']}; for the "
            "encoder alone load the model with task='feature-extraction' (convert: --task feature-extraction)"
        )
    for name in map(str, values.get("architectures") or []):
        ending = name.removeprefix(family.architecture)
        if ending != "Model" and ending not in family.heads:
            raise InputError(
                f"KerasHub has no head that computes what {name} does; for the encoder alone load the model with "
                f"task='feature-extraction' (convert: --task feature-extraction)"
            )
        return family.heads.get(ending)
    return None


def _task(
    models: Any,
    family: Family,
    head: Head,
    backbone: Any,
    tokenizer: Any,
    values: Mapping[str, Any],
    tensors: Mapping[str, np.ndarray],
) -> Any:
    name = f"{family.name}{head.task}"
    settings: dict[str, Any] = {}
    if tokenizer:
        # 512: what KerasHub's preprocessors have by default.
        length = min(512, backbone.max_sequence_length)
        settings["preprocessor"] = getattr(models, f"{name}Preprocessor")(tokenizer, sequence_length=length)
    if head.task == "TextClassifier":
        bias = head.rows[-1].name
        if bias not in tensors:
            raise InputError(f"the tensor {bias} is missing")
        settings["num_classes"] = len(tensors[bias])
    dropout = values.get(head.dropout)
    if head.dropout == "classifier_dropout" and dropout is None:
        dropout = values.get("hidden_dropout_prob")
    if dropout is not None:
        settings["dropout"] = dropout
    return getattr(models, name)(backbone=backbone, **settings)


def _fill(model: Any, tensors: Mapping[str, np.ndarray], rows: Sequence[Row], family: Family) -> Report:
    """Set every variable once; the optional parts that are missing keep the values that KerasHub gave them."""
    variables = {variable.path: variable for variable in model.weights}
    names = {name.removeprefix(family.prefix): name for name in tensors}
    report = Report()
    for row in rows:
        variable = variables.pop(row.variable)
        if row.name in names:
            variable.assign(_value(tensors, names, row, tuple(variable.shape)))
            report.read[names[row.name]] = row.variable
            if row.kind in ("kernel", "joined"):
                report.transposed.append(names[row.name])
        elif row.variable.split("/", 1)[0] in family.optional:
            report.new.append(row.variable)
        else:
            raise InputError(f"the tensor {row.name} of KerasHub's {row.variable} is missing")
    if variables:
        raise InputError(f"no row of the table names KerasHub's {', '.join(variables)}")
    folded = {names[row.folded]: row.variable for row in rows if row.folded in names}
    report.read |= folded
    for name in tensors:
        if name not in report.read:
            report.ignored[name] = f"KerasHub's {family.name} classes have no part that computes the same"
    return report


def _untold(values: Mapping[str, Any]) -> dict[str, str]:
    """What of the config gets lost: key -> why."""
    untold = {}
    labels = dict(values.get("id2label") or {})
    if any(name != f"LABEL_{index}" for index, name in labels.items()):
        untold["id2label"] = f"a preset has no names for classes, which are {', '.join(map(str, labels.values()))}"
    # DistilBERT's words, or those of the other families.
    for hidden, attention in (
        ("dropout", "attention_dropout"),
        ("hidden_dropout_prob", "attention_probs_dropout_prob"),
    ):
        if values.get(hidden) != values.get(attention):
            untold[attention] = f"a backbone has one dropout, which is {hidden} = {values.get(hidden)}"
    return untold


def _value(tensors: Mapping[str, np.ndarray], names: Mapping[str, str], row: Row, shape: tuple[int, ...]) -> np.ndarray:
    tensor = np.asarray(tensors[names[row.name]], dtype=np.float32)
    refuse_not_finite(tensor, names[row.name])
    value = to_keras_hub(tensor, shape, row)
    if value is None:
        raise InputError(f"{names[row.name]} has the shape {tensor.shape}, which does not fit KerasHub's {shape}")
    if row.folded in names:
        value = value + tensors[names[row.folded]]
    return value
