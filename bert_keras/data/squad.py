"""JSON files in the layout of SQuAD 1.1 and 2.0: articles of paragraphs of questions.

Source: https://rajpurkar.github.io/SQuAD-explorer/
"""

from collections.abc import Iterator
from typing import Any

from bert_keras.data.json_lines import read_json
from bert_keras.errors import InputError


def read_squad(path: str) -> Iterator[tuple[str, Any, Any, Any, Any, Any]]:
    """Yield (place, id, question, context, answers, is_impossible) of each question.

    Absent values are None.

    Raises:
        InputError: the file is not JSON or of another layout, or holds no questions.
    """
    content = read_json(path)
    if isinstance(content, list):
        raise InputError(f"{path} holds a list; SQuAD's layout is an object with data, a flat table a .jsonl file")
    empty = True
    for article, of_article in _numbered(path, content, "data", "article"):
        for paragraph, of_paragraph in _numbered(path, of_article, "paragraphs", "paragraph", article):
            for place, question in _numbered(path, of_paragraph, "qas", "question", paragraph):
                empty = False
                values = question.get("id"), question.get("question"), of_paragraph.get("context")
                yield place, *values, question.get("answers"), question.get("is_impossible")
    if empty:
        raise InputError(f"{path} holds no questions")


def _numbered(path: str, holder: Any, key: str, what: str, place: str = "") -> Iterator[tuple[str, dict]]:
    """Yield the objects of a list with their places, such as `article 1, paragraph 2`."""
    where = f"{path}, {place}" if place else path
    entries = holder.get(key) if isinstance(holder, dict) else None
    if not isinstance(entries, list):
        raise InputError(f"{where} has no list {key!r}: SQuAD's layout is data, paragraphs, qas")
    for number, entry in enumerate(entries, start=1):
        new = ", ".join(filter(None, (place, f"{what} {number}")))
        if not isinstance(entry, dict):
            raise InputError(f"{path}, {new} is not an object")
        yield new, entry
