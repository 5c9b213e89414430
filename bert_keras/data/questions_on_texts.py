"""Questions on texts, with the answers that stand in them."""

import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from bert_keras.data.plain_text import source_name
from bert_keras.data.records import READERS, TFDS, as_text, open_records
from bert_keras.data.squad import read_squad
from bert_keras.errors import InputError

_QUESTIONS = ("question", "query")
_CONTEXTS = ("context", "passage", "paragraph", "text", "document")
_ANSWERS = ("answers", "answer")
_IDS = ("id", "qid", "question_id", "idx")

Answer = tuple[str, int]


@dataclass(frozen=True)
class Questions:
    """The questions of one source, in its order.

    Args:
        source: the name that messages use.
        ids: a name for each question, all different.
        questions: the questions.
        contexts: the text that each is about.
        answers: the right answers of each question as (text, start), start in code points of the context, so that
            `context[start : start + len(text)] == text`; an empty list where the context has none. None where the
            source has no answers at all.
        lines: the line, row or example of each question, from 1; in a SQuAD file the number of the question.
        unit: what `lines` counts.
        places: of a SQuAD file, what a message says of where each question stands: article, paragraph, question.
    """

    source: str
    ids: list[str]
    questions: list[str]
    contexts: list[str]
    answers: list[list[Answer]] | None
    lines: Sequence[int]
    unit: str
    places: list[str] | None = None

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def texts(self) -> list[str]:
        """The questions, as a predictor takes them."""
        return self.questions

    @property
    def pairs(self) -> list[str]:
        """The contexts, as a predictor takes them."""
        return self.contexts

    def where(self, row: int) -> str:
        """Say where question `row` (from 0) stands."""
        return f"{self.source}, {self.unit} {self.lines[row]}" if self.places is None else self.places[row]


def questions(source: str | os.PathLike, data_dir: str | os.PathLike | None = None) -> Questions:
    """Read questions, their contexts and their answers from a file or a prepared TFDS split.

    An answer whose start is not where its text stands gets the nearest start where it does.

    Source: Rajpurkar et al., "Know What You Don't Know" (https://arxiv.org/abs/1806.03822), for the layout.

    Args:
        source: a `.json` file in the layout of SQuAD 1.1 or 2.0; a `.jsonl` or `.parquet` file with the columns id,
            question, context and answers `{"text": [], "answer_start": []}`; or `tfds:squad/v1.1`, `tfds:squad/v2.0`.
        data_dir: where TFDS keeps its prepared data; its own default when None.

    Raises:
        InputError: the source is missing or of another form, an answer is not in its context, or an id is there twice;
            the message names the place.
    """
    name = source_name(source)
    suffix = Path(name).suffix.lower()
    if suffix not in (".json", *READERS) and not name.startswith(TFDS):
        known = ", ".join(READERS)
        raise InputError(f"{name}: questions are read from .json in SQuAD's layout, {known}, and TFDS names")
    if suffix == ".json":
        found = [_entry(f"{name}, {place}", *entry) for place, *entry in read_squad(name)]
        places = [entry.where for entry in found]
        rows = Questions(name, *_columns(found), range(1, len(found) + 1), "question", places)
    else:
        rows = _from_records(source, data_dir)
    _refuse_repeated(rows)
    return rows


class _Entry(NamedTuple):
    """One question as the source has it; `answers` None without any, `possible` None where it is not said."""

    where: str
    id: Any
    question: Any
    context: Any
    answers: Any
    possible: bool | None


def _entry(where: str, id: Any, question: Any, context: Any, answers: Any, impossible: Any) -> _Entry:
    """The entry, after a check of what it says of itself."""
    if impossible is not None and impossible not in (True, False):
        raise InputError(f"{where}: is_impossible is {impossible!r}; it must be true or false")
    return _Entry(where, id, question, context, answers, None if impossible is None else not impossible)


def _from_records(source: str | os.PathLike, data_dir: str | os.PathLike | None) -> Questions:
    records = open_records(source, data_dir)
    question = records.require(None, _QUESTIONS, "the question")
    context = records.require(None, _CONTEXTS, "the context")
    answers, ids = records.find(None, _ANSWERS), records.find(None, _IDS)
    lines, found = [], []
    for line, row in records.dicts():
        lines.append(line)
        cells = row[ids] if ids else None, row[question], row[context], row[answers] if answers else None
        found.append(_entry(records.where(line), *cells, row.get("is_impossible")))
    if not found:
        raise InputError(f"{records.source} holds no questions")
    return Questions(records.source, *_columns(found), lines, records.unit)


def _columns(found: list[_Entry]) -> tuple[list[str], list[str], list[str], list[list[Answer]] | None]:
    """The ids, questions, contexts and answers of a source."""
    ids = [str(number) if entry.id is None else str(entry.id) for number, entry in enumerate(found, start=1)]
    questions = [_text(entry.where, "question", entry.question) for entry in found]
    contexts = [_text(entry.where, "context", entry.context) for entry in found]
    for entry, context in zip(found, contexts, strict=True):
        if not context.strip():
            raise InputError(f"{entry.where}: the context is empty")
    return ids, questions, contexts, _answers(found, contexts)


def _answers(found: list[_Entry], contexts: list[str]) -> list[list[Answer]] | None:
    answers = [[] if entry.possible is False else _pairs(entry.where, entry.answers) for entry in found]
    # An empty list says that there is no answer, unless is_impossible denies it.
    lacking = [
        entry.where
        for entry, given in zip(found, answers, strict=True)
        if not given and (entry.possible or (entry.possible is None and entry.answers is None))
    ]
    # A file to be answered.
    if len(lacking) == len(found):
        return None
    if lacking:
        raise InputError(
            f"{lacking[0]}: there is no answer; a question that its context does not answer has "
            '"is_impossible": true, or an empty list of answers'
        )
    moved: list[str] = []
    for entry, context, given in zip(found, contexts, answers, strict=True):
        placed = [(text, _start(entry.where, context, text, told)) for text, told in given]
        if placed != given:
            moved.append(entry.where)
            given[:] = placed
    if moved:
        warnings.warn(
            f"the answers of {len(moved)} of {len(found)} questions do not begin where answer_start says: the nearest "
            f"place in the context is taken; the first is {moved[0]}",
            stacklevel=4,
        )
    return answers


def _pairs(place: str, answers: Any) -> list[Answer]:
    """The answers as (text, start), from lists in a dict or dicts in a list."""
    if answers is None:
        return []
    if isinstance(answers, dict):
        texts, starts = answers.get("text"), answers.get("answer_start", answers.get("start"))
        if isinstance(texts, str):
            texts, starts = [texts], [starts]
        if not isinstance(texts, list) or not isinstance(starts, list) or len(texts) != len(starts):
            raise InputError(f"{place}: the answers have no lists text and answer_start of the same length")
        answers = [{"text": text, "answer_start": start} for text, start in zip(texts, starts, strict=True)]
    if not isinstance(answers, list) or not all(isinstance(answer, dict) for answer in answers):
        raise InputError(f'{place}: the answers are not a list of {{"text": "…", "answer_start": 0}}')
    return [_pair(place, answer) for answer in answers]


def _pair(place: str, answer: dict) -> Answer:
    text, start = _text(place, "answer", answer.get("text")), answer.get("answer_start", answer.get("start"))
    if not text.strip():
        raise InputError(f"{place}: an answer is empty")
    if type(start) is not int:
        raise InputError(f"{place}: answer_start of {text!r} is {start!r}, not a whole number")
    return text, start


def _start(place: str, context: str, text: str, told: int) -> int:
    """The start of an occurrence of the text: the one that was told, or else the nearest."""
    if told >= 0 and context.startswith(text, told):
        return told
    starts = list(_occurrences(context, text))
    if not starts:
        raise InputError(f"{place}: the answer {text!r} does not stand in the context")
    return min(starts, key=lambda start: abs(start - told))


def _occurrences(context: str, text: str) -> Iterable[int]:
    start = context.find(text)
    while start >= 0:
        yield start
        start = context.find(text, start + 1)


def _text(place: str, what: str, value: Any) -> str:
    text = as_text(value)
    if text is None:
        raise InputError(f"{place}: the {what} is no text")
    return text


def _refuse_repeated(rows: Questions) -> None:
    first: dict[str, int] = {}
    for row, name in enumerate(rows.ids):
        if first.setdefault(name, row) != row:
            raise InputError(f"{rows.where(row)}: the id {name!r} is also that of {rows.where(first[name])}")
