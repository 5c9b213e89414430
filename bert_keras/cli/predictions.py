"""Answers to examples as a file."""

import json
from pathlib import Path
from typing import Any

import typer

from bert_keras.errors import InputError


def check_suffix(path: Path) -> None:
    """Refuse a file of another kind than `write_predictions` writes."""
    if path.suffix not in (".tsv", ".jsonl"):
        raise typer.BadParameter("--predictions must end in .tsv or .jsonl")


def check_answers(path: Path, kind: str) -> None:
    """Refuse, before the answers are made, a table of answers that are no labels.

    Args:
        path: to write.
        kind: of the answers.

    Raises:
        InputError: they go into no table.
    """
    if path.suffix == ".tsv" and kind != "label":
        raise InputError("a .tsv holds a label a line: write these answers to a .jsonl")


def write_predictions(file: Path, examples: Any, answers: list[dict[str, Any]]) -> None:
    """Write each example's place, texts and answer, as a line of JSON or, for labels, of a table.

    Args:
        file: to write, `.jsonl`, or `.tsv` after `check_answers`.
        examples: with `texts`, `pairs` and `where`.
        answers: to each of them.

    Raises:
        InputError: there are fewer or more answers than examples.
    """
    if len(answers) != len(examples):
        raise InputError("these answers are not one an example: leave out --predictions")
    pairs = examples.pairs
    facts = [
        {"where": examples.where(row), "text": text, **({} if pairs is None else {"pair": pairs[row]}), **answer}
        for row, (text, answer) in enumerate(zip(examples.texts, answers, strict=True))
    ]
    with file.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as out:
        if file.suffix == ".jsonl":
            out.writelines(json.dumps(plain(fact), ensure_ascii=False) + "\n" for fact in facts)
            return
        labels = examples.labels or [""] * len(facts)
        rows = [("label", "predicted", "score", "text")]
        rows += [(true, fact["label"], fact["score"], fact["text"]) for true, fact in zip(labels, facts, strict=True)]
        # White space of a text would be read as the end of its cell or line.
        out.writelines("\t".join(" ".join(str(value).split()) for value in row) + "\n" for row in rows)


def plain(value: Any) -> Any:
    """Arrays as lists."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value.tolist() if hasattr(value, "tolist") else value
