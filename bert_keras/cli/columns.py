"""Which columns of a file a command reads: what its options say, as the reader of the task's examples takes it."""

from typing import Any

import typer


def chosen_columns(given: dict[str, Any], kind: Any) -> dict[str, Any]:
    """The options that were given, refused where the task's reader has no use for one.

    Args:
        given: option of the command -> its value, None where it was left out.
        kind: `bert_keras.data.kinds.Kind`.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    for name in chosen:
        if name not in kind.columns and name != "data_dir":
            known = ", ".join(_flag(each) for each in kind.columns if each in given)
            raise typer.BadParameter(f"{_flag(name)} is not for data of this task; what is: {known}")
    return {name: _number(name, value) for name, value in chosen.items() if name in kind.columns}


def command_words(columns: dict[str, Any]) -> list[str]:
    """The options of a command line that say the same."""
    return [word for name, value in columns.items() for word in (_flag(name), str(value))]


def pair_columns(examples: Any) -> list[str]:
    """A sentence that says which columns are read as pairs; none where there are no pairs, or no columns."""
    columns = getattr(examples, "columns", None)
    return [f"pairs of {columns.text} and {columns.pair}"] if columns is not None and columns.pair else []


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _number(name: str, value: Any) -> Any:
    """Columns of CoNLL files have numbers, those of other files names."""
    is_number = name in ("words", "tags") and value.removeprefix("-").isdecimal()
    return int(value) if is_number else value
