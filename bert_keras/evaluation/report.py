"""The report of an evaluation: an HTML page for people, and the same as JSON beside it."""

import json
import os
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from platform import python_version
from typing import Any

import bert_keras
from bert_keras import files
from bert_keras.errors import InputError
from bert_keras.evaluation.comparison import Comparison
from bert_keras.evaluation.page import page
from bert_keras.evaluation.result import Evaluation, plain

# Control characters, which HTML forbids, as the pictures that Unicode has of them; white space stays.
_SHOWN = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n\r\f"} | {0x7F: 0x2421}


def report_paths(path: str | os.PathLike, force: bool = False) -> tuple[Path, Path]:
    """Return where the page and the JSON file go; call it before long work.

    Args:
        path: of the page, ending in `.html`; the JSON file has the same name, ending in `.json`.
        force: replace existing files.

    Raises:
        InputError: another ending, or a file exists and `force` is false.
    """
    html = Path(path)
    if html.suffix != ".html":
        raise InputError(f"{path}: a report must end in .html; the same as JSON is written beside it")
    json_file = html.with_suffix(".json")
    for file in (html, json_file):
        files.refuse_existing(file, force)
    return html, json_file


def write_report(
    evaluation: Evaluation,
    path: str | os.PathLike,
    title: str,
    facts: Mapping[str, Any],
    comparison: Comparison | None = None,
    force: bool = False,
) -> tuple[Path, Path]:
    """Write the page and the JSON file, and return their paths.

    Args:
        evaluation: what to show.
        path: as for `report_paths`.
        title: of the page.
        facts: what was scored with what, name → value, such as `{"model": ..., "data": ...}`; the date and the versions
            are added.
        comparison: with another model.
        force: replace existing files.

    Raises:
        InputError: as `report_paths`.
    """
    html, json_file = report_paths(path, force)
    facts = {
        **facts,
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "versions": f"bert_keras {bert_keras.__version__}, Python {python_version()}",
    }
    content = {"title": title, "facts": plain(facts), **evaluation.to_dict()}
    if comparison is not None:
        content["comparison"] = comparison.to_dict()
    with files.output_file(html, force) as new_page, files.output_file(json_file, force) as new_json:
        # A text may hold half of a surrogate pair, which UTF-8 cannot write; each format has its own way to say it.
        content_page = page(evaluation, title, facts, comparison).translate(_SHOWN)
        new_page.write_text(content_page, encoding="utf-8", errors="xmlcharrefreplace", newline="\n")
        new_json.write_text(
            json.dumps(content, ensure_ascii=False, indent=1) + "\n",
            encoding="utf-8",
            errors="backslashreplace",
            newline="\n",
        )
    return html, json_file
