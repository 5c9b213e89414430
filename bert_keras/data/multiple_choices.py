"""Prompts with choices, one of which is right."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bert_keras.data.records import Records, as_text, first_of, open_records, required_text
from bert_keras.errors import InputError

_CONTEXTS = ("context", "ctx", "article", "passage", "premise", "sent1", "startphrase", "text")
_PROMPTS = ("prompt", "question", "sentence", "query", "goal", "sent2")
_CHOICES = ("choices", "options", "endings", "documents", "passages", "candidates")
_LABELS = ("label", "answer", "answerkey", "answer_key", "correct", "gold", "gold_label")
# Columns of one choice each: ending0, choice_a, option1, sol2.
_CHOICE = re.compile(r"(?:choice|option|ending|answer|sol)_?([0-9]+|[a-z])", re.IGNORECASE)


@dataclass(frozen=True)
class Choices:
    """The prompts of one source, in its order.

    Args:
        source: the name that messages use.
        prompts: the prompts.
        choices: two choices or more for each prompt, not always as many.
        labels: the right choice of each prompt, from 0; None without any.
        lines: the line, row or example of each prompt, from 1.
        unit: what `lines` counts.
    """

    source: str
    prompts: list[str]
    choices: list[list[str]]
    labels: list[int] | None
    lines: Sequence[int]
    unit: str

    def __len__(self) -> int:
        return len(self.prompts)

    @property
    def texts(self) -> list[str]:
        """The prompts, as a predictor takes them."""
        return self.prompts

    @property
    def pairs(self) -> list[list[str]]:
        """The choices, as a predictor takes them."""
        return self.choices

    def where(self, row: int) -> str:
        """Say where prompt `row` (from 0) stands."""
        return f"{self.source}, {self.unit} {self.lines[row]}"


def choices(
    source: str | os.PathLike,
    prompt: str | None = None,
    choices: str | Sequence[str] | None = None,
    label: str | None = None,
    data_dir: str | os.PathLike | None = None,
) -> Choices:
    """Read prompts and their choices from a table, JSON Lines, Parquet, or a prepared TFDS split.

    Where a source has a context and a question (or SWAG's sent1 and sent2), the context is the prompt and the question
    begins each choice. The right choice is given by its number from 0, its letter from A, its text, or the name that
    the source gives it (as ARC's `{"label": [...], "text": [...]}` or columns option1, option2): in all rows alike.

    Source: Zellers et al., SWAG (https://arxiv.org/abs/1808.05326), for the form of the choices.

    Args:
        source: as for `table`.
        prompt: the column of the prompt; found by usual names (prompt, question, context …) when None.
        choices: the column of the lists of choices, or the columns of one choice each; found by usual names (choices,
            options, endings; ending0 …, choice_a …) when None.
        label: the column of the right choice; found by usual names (label, answer …) when None. With nothing in it, or
            without it, there are no labels.
        data_dir: where TFDS keeps its prepared data; its own default when None.

    Raises:
        InputError: the source cannot be read, has no such columns, fewer than two choices, or a label that is none of
            them; the message names the line.
    """
    records = open_records(source, data_dir)
    columns = _choice_columns(records, choices)
    label = records.find(label, [name for name in _LABELS if name not in columns])
    others = [name for name in records.names if name not in (*columns, label)]
    context, question = _prompt_columns(records, others, prompt)
    rows = list(records.dicts())
    if not rows:
        raise InputError(f"{records.source} holds no rows")
    lines = [line for line, _ in rows]
    found = [_choices_of(records.where(line), row, columns) for line, row in rows]
    prompts = [required_text(records.where(line), context, row[context]) for line, row in rows]
    labels = None if label is None else _labels(records, lines, [row[label] for _, row in rows], found)
    texts = [of_row.texts for of_row in found]
    if question is not None:
        begins = [required_text(records.where(line), question, row[question]).strip() for line, row in rows]
        texts = [[f"{begin} {text}".strip() for text in of_row] for begin, of_row in zip(begins, texts, strict=True)]
    return Choices(records.source, prompts, texts, labels, lines, records.unit)


@dataclass(frozen=True)
class _Row:
    """The choices of a row, what the source calls each and whether it says so in the row, and the columns of each."""

    texts: list[str]
    names: list[str]
    named: bool
    columns: list[str]


def _choice_columns(records: Records, asked: str | Sequence[str] | None) -> list[str]:
    if asked is not None:
        names = [asked] if isinstance(asked, str) else list(asked)
        return [records.require(name, (), "") for name in names]
    found = first_of(records.names, _CHOICES)
    numbered = {name: match[1] for name in records.names if (match := _CHOICE.fullmatch(name))}
    # By their numbers: TFDS gives the columns in no order.
    columns = [found] if found else sorted(numbered, key=lambda name: (len(numbered[name]), numbered[name].lower()))
    if not columns:
        records.require(None, (*_CHOICES, "ending0, ending1"), "the choices")
    return columns


def _prompt_columns(records: Records, others: list[str], prompt: str | None) -> tuple[str, str | None]:
    """The column of the prompt, and that of what begins each choice, or None."""
    if prompt is not None:
        return records.require(prompt, (), ""), None
    context, question = first_of(others, _CONTEXTS), first_of(others, _PROMPTS)
    if context is None:
        return records.require(question, (*_PROMPTS[:3], *_CONTEXTS[:1]), "the prompt"), None
    return context, question


def _choices_of(where: str, row: dict[str, Any], columns: list[str]) -> _Row:
    cells, names = row[columns[0]], None
    named = isinstance(cells, dict)
    if named:
        cells, names = cells.get("text"), cells.get("label")
    if len(columns) > 1:
        cells = [row[name] for name in columns]
        names = [match[1] if (match := _CHOICE.fullmatch(name)) else name for name in columns]
    texts = [as_text(item) for item in cells] if isinstance(cells, list) else []
    given = [text for text in texts if text is not None]
    if len(given) < 2 or len(given) < len(texts):
        raise InputError(f"{where}: {columns[0]!r} is no list of two choices or more, each a text")
    return _Row(given, [as_text(name) or "" for name in names or []], named, columns)


def _labels(records: Records, lines: list[int], cells: list[Any], rows: list[_Row]) -> list[int] | None:
    found = [(as_text(cell) or "").strip() for cell in cells]
    # Test splits hide theirs, TFDS as -1.
    if set(found) <= {"", "-1"}:
        return None
    first = [_by_name, _by_number] if rows[0].named else [_by_number, _by_name]
    ways = [*first, _by_column, _by_letter, _by_text]
    read = [[way(name, row) for name, row in zip(found, rows, strict=True)] for way in ways]
    # The rows are all of one kind: "1" may be a number from 0, or the first of option1 and option2.
    best = min(read, key=lambda indices: indices.count(None))
    if None in best:
        row = best.index(None)
        count = len(rows[row].texts)
        raise InputError(
            f"{records.where(lines[row])}: the answer {found[row]!r} is none of the {count} choices: it would be a "
            f"number from 0 to {count - 1}, a letter from A, or the text of one"
        )
    return [index for index in best if index is not None]


def _by_number(name: str, row: _Row) -> int | None:
    return _only(name, [str(place) for place in range(len(row.texts))])


def _by_name(name: str, row: _Row) -> int | None:
    return _only(name, row.names)


def _by_column(name: str, row: _Row) -> int | None:
    return _only(name, row.columns) if len(row.columns) > 1 else None


def _by_letter(name: str, row: _Row) -> int | None:
    return _only(name.upper(), [chr(ord("A") + place) for place in range(min(26, len(row.texts)))])


def _by_text(name: str, row: _Row) -> int | None:
    return _only(name, [text.strip() for text in row.texts])


def _only(name: str, names: list[str]) -> int | None:
    return names.index(name) if names.count(name) == 1 else None
