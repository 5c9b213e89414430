"""Applies a checkpoint to a model by a table of rows, strictly: every variable is set exactly once."""

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence

import keras
import numpy as np

from bert_keras.errors import InputError, refuse_not_finite
from bert_keras.weights.own_tensor import own_tensor


@dataclasses.dataclass(frozen=True)
class Part:
    """Which rows of a tensor `[groups · count · D, …]` are a variable's: in each group those of one part.

    Args:
        index: the part, from 0.
        count: parts of a group.
        groups: how many groups there are, such as heads.
    """

    index: int
    count: int
    groups: int

    def of(self, tensor: np.ndarray) -> np.ndarray:
        """The rows of the part."""
        return tensor.reshape(self.groups, self.count, -1, *tensor.shape[1:])[:, self.index].reshape(
            -1, *tensor.shape[1:]
        )

    def put(self, rows: np.ndarray, into: np.ndarray | None) -> np.ndarray:
        """The tensor with the rows of the part; the inverse of `of`."""
        if into is None:
            into = np.empty((len(rows) * self.count, *rows.shape[1:]), rows.dtype)
        grouped = into.reshape(self.groups, self.count, -1, *rows.shape[1:])
        grouped[:, self.index] = rows.reshape(self.groups, -1, *rows.shape[1:])
        return into


@dataclasses.dataclass(frozen=True)
class Row:
    """One tensor of a checkpoint and the variable that holds it here.

    Args:
        name: canonical name of the tensor.
        variable: path of the variable; none for a constant that some files hold beside the weights.
        transposed: the checkpoint keeps the matrix as `[out, in]`, Keras as `[in, out]`.
        tied_to: canonical name of the tensor that this one repeats in some files; it has no variable of its own.
        part: the variable is a part of the tensor; further rows with the same name hold the others.
        unread: why a tensor without a variable is not read.
    """

    name: str
    variable: str = ""
    transposed: bool = False
    tied_to: str = ""
    part: Part | None = None
    unread: str = "a constant, not a weight"


# Layers that a checkpoint may lack as a whole.
OPTIONAL = (
    "pooler",
    "classification_pooler",
    "answer_head",
    "choice_head",
    "classification_head",
    "mask_decoder",
    "mlm_head",
    "multi_label_head",
    "nsp_head",
    "ranking_head",
    "regression_head",
    "rtd_head",
    "token_head",
)


def dense(theirs: str, ours: str) -> list[Row]:
    """The rows of a dense layer, without `.weight` and `.bias`, `/kernel` and `/bias`."""
    return [Row(f"{theirs}.weight", f"{ours}/kernel", transposed=True), Row(f"{theirs}.bias", f"{ours}/bias")]


def layer_norm(theirs: str, ours: str) -> list[Row]:
    """The rows of a LayerNorm, without `.weight` and `.bias`, `/gamma` and `/beta`."""
    return [Row(f"{theirs}.weight", f"{ours}/gamma"), Row(f"{theirs}.bias", f"{ours}/beta")]


def canonical(names: Iterable[str], source: str, prefix: str, aliases: Mapping[str, str]) -> dict[str, str]:
    """The names of a table for the names in a file, which vary with the file's age and head.

    Args:
        names: the names in the file: with or without the prefix, LayerNorm's `gamma` and `beta` of old.
        source: the file, for messages.
        prefix: of the encoder's tensors in a file with a head, such as `bert.`.
        aliases: name -> the name of the table that it has in files that lack the latter.

    Returns:
        Name of the table -> name in the file.

    Raises:
        InputError: two tensors of the file have one name in the table.
    """
    short = {name: re.sub(r"\.gamma$", ".weight", re.sub(r"\.beta$", ".bias", name)) for name in names}
    short = {name: new.removeprefix(prefix) for name, new in short.items()}
    present = set(short.values())
    found: dict[str, str] = {}
    for name, new in short.items():
        if aliases.get(new, new) not in present:
            new = aliases[new]
        if new in found:
            raise InputError(f"{source}: {found[new]} and {name} are the same tensor")
        found[new] = name
    return found


@dataclasses.dataclass
class Report:
    """What became of every tensor and every variable.

    Args:
        read: tensor's name in the file -> path of the variable it was read into, or several, with commas.
        transposed: names of the tensors that were transposed on the way.
        ignored: tensor's name in the file -> why it was not needed.
        new: paths of the variables that the file does not hold, newly initialised.
    """

    read: dict[str, str] = dataclasses.field(default_factory=dict)
    transposed: list[str] = dataclasses.field(default_factory=list)
    ignored: dict[str, str] = dataclasses.field(default_factory=dict)
    new: list[str] = dataclasses.field(default_factory=list)


def apply(
    model: keras.Model,
    tensors: Mapping[str, np.ndarray],
    names: Mapping[str, str],
    rows: Sequence[Row],
    source: str,
) -> Report:
    """Set the model's variables from a checkpoint.

    Args:
        model: the model to fill.
        tensors: name in the file -> array; read one by one, so it may load lazily.
        names: canonical name -> name in the file.
        rows: the table of the model's family.
        source: the file, for messages.

    Raises:
        InputError: a tensor is missing, unknown, of another shape or not finite; nothing has been set then but
            earlier rows.
    """
    variables = {variable.path: variable for variable in model.weights}
    report = Report()
    unknown = set(names) - {row.name for row in rows}
    if unknown:
        raise InputError(
            f"{source}: unknown tensor{'s' * (len(unknown) > 1)} {_listed(names[name] for name in unknown)}: "
            f"the file is of another architecture or was changed"
        )
    table = [row for row in rows if row.variable in variables]
    absent = [row for row in table if row.name not in names]
    held = {_layer(row.variable) for row in table if row.name in names}
    lacking = [row for row in absent if _layer(row.variable) not in OPTIONAL or _layer(row.variable) in held]
    if lacking:
        raise InputError(f"{source}: missing tensor{'s' * (len(lacking) > 1)} {_listed(row.name for row in lacking)}")
    for row in table:
        if row.name in names:
            name = names[row.name]
            _assign(variables[row.variable], tensors[name], row, f"{source}: {name}")
            report.transposed += [name] * (row.transposed and name not in report.read)
            report.read[name] = f"{report.read[name]}, {row.variable}" if name in report.read else row.variable
        else:
            report.new.append(row.variable)
    for row in rows:
        if row.name not in names or row.variable in variables:
            continue
        if row.tied_to:
            _check_tied(tensors, names, row, source)
            report.ignored[names[row.name]] = f"the same as {row.tied_to}"
        elif row.variable:
            report.ignored[names[row.name]] = "the model has no such part"
        else:
            report.ignored[names[row.name]] = row.unread
    unset = sorted(set(variables) - {row.variable for row in table})
    # A head that checkpoints of this task do not have, such as another one on the same encoder.
    report.new += [path for path in unset if _layer(path) in OPTIONAL]
    unset = [path for path in unset if _layer(path) not in OPTIONAL]
    if unset:
        raise InputError(f"{source}: no row of the table names the variables {_listed(unset)}")
    return report


def collect(model: keras.Model, rows: Sequence[Row]) -> dict[str, np.ndarray]:
    """The checkpoint of a model: the inverse of `apply`.

    Args:
        model: the model to read.
        rows: the table of the model's family.

    Returns:
        Canonical name -> contiguous float32 array.

    Raises:
        InputError: a weight holds NaN or infinity.
    """
    variables = {variable.path: variable for variable in model.weights}
    tensors: dict[str, np.ndarray] = {}
    for row in rows:
        if row.variable in variables:
            value = variables[row.variable].numpy()
            refuse_not_finite(value, f"the weight {row.variable}")
            value = np.ascontiguousarray(value.T if row.transposed else value, dtype=np.float32)
            tensors[row.name] = value if row.part is None else row.part.put(value, tensors.get(row.name))
    return tensors


def _assign(variable: keras.Variable, tensor: np.ndarray, row: Row, where: str) -> None:
    wanted = tuple(variable.shape)[::-1] if row.transposed else tuple(variable.shape)
    if row.part is not None:
        wanted = (wanted[0] * row.part.count, *wanted[1:])
    if tuple(tensor.shape) != wanted:
        raise InputError(f"{where} has the shape {tuple(tensor.shape)}; config.json asks for {wanted}")
    refuse_not_finite(tensor, where)
    value = tensor if row.part is None else row.part.of(tensor)
    variable.assign(own_tensor(value.T if row.transposed else value))


def _check_tied(tensors: Mapping[str, np.ndarray], names: Mapping[str, str], row: Row, source: str) -> None:
    if row.tied_to in names and not np.array_equal(tensors[names[row.name]], tensors[names[row.tied_to]]):
        raise InputError(
            f"{source}: {names[row.name]} differs from {names[row.tied_to]}: an untied decoder cannot be loaded"
        )


def _layer(path: str) -> str:
    return path.split("/", 1)[0]


def _listed(names: Iterable[str]) -> str:
    names = sorted(names)
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
