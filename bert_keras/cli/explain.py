"""bert-keras explain"""

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from bert_keras.cli.options import Debug, Force, Json
from bert_keras.cli.session import session
from bert_keras.cli.texts import texts_from
from bert_keras.errors import InputError


def explain(
    model: Annotated[str, typer.Argument(help="A model folder, hub id or TF1 checkpoint.")],
    text: Annotated[str, typer.Argument(help="What the model reads; of question answering the question.")],
    second: Annotated[
        list[str] | None,
        typer.Option(help="The second text, or the text that a question is about; for each choice one --second."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            help="What to explain: a label, WORD:LABEL with the word's number from 0, START:END of a span in "
            "characters, a piece for the mask, or a choice's number; default: what the model predicts."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="HTML file to write, with a map of the attention.")] = None,
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Show which words an answer rests on and where the model looks.

    A line a word, divided by a tab: its score, above 0 for the answer and below 0 against it.
    """
    with session(as_json, debug) as current:
        [text, *pairs], _ = texts_from([text, *(second or [])], None)
        _refuse_exported(model)
        from bert_keras import files

        if out:
            files.refuse_existing(out, force)

        from bert_keras.explain import attention, attributions, page
        from bert_keras.explain.targets import TARGETS
        from bert_keras.pretrained import load
        from bert_keras.tasks import TASKS, task_of

        loaded, tokenizer = load(model)
        task = task_of(loaded)
        of_choices = TASKS[task].answer == "choice"
        if len(pairs) > 1 and not of_choices:
            raise InputError(f"{len(pairs)} texts are given by --second, but a model for {task} reads one")
        other: Any = pairs if of_choices else pairs[0] if pairs else None
        if task in TARGETS:
            found = attributions(loaded, tokenizer, text, other, _target(target, task, TASKS[task].answer))
            seen = attention(loaded, tokenizer, *found.texts)
        elif target is not None:
            raise InputError(f"a model for {task} gives no answer to explain: leave --target out")
        else:
            found = None
            seen = attention(loaded, tokenizer, text, other)
        if out:
            with files.output_file(out, force) as file:
                file.write_text(page(seen, found, f"{Path(model).name}: {task}"), encoding="utf-8")
        facts = {"model": model, "task": task, **_facts(seen, found), "out": out}
        current.result(facts, *_lines(found), *([f"saved {shlex.quote(str(out))}"] if out else []))


def _refuse_exported(model: str) -> None:
    from bert_keras.export.open_model import newest_version

    local = Path(model)
    if local.suffix == ".tflite" or (local.is_dir() and newest_version(local)):
        raise InputError(
            f"{model} is an exported file, which has no gradients and does not tell its attention: give the model "
            f"folder that it was made of"
        )


def _target(text: str | None, task: str, kind: str | None) -> Any:
    """A target as `attributions` takes it, from how it is written on the command line for a kind of answer."""
    if text is None:
        return None
    first, _, second = text.partition(":")
    if kind == "entities":
        return _number(first, text, "WORD:LABEL"), second
    if kind == "span":
        return _number(first, text, "START:END"), _number(second, text, "START:END")
    if kind == "choice" or task == "replaced-token-detection":
        return _number(text, text, "a number")
    return text


def _number(part: str, text: str, form: str) -> int:
    if not (part.isascii() and part.isdigit()):
        raise InputError(f"--target {text!r}: of this model's task it is {form}")
    return int(part)


def _facts(seen: Any, found: Any) -> dict[str, Any]:
    pieces = [
        {"piece": piece, "part": part, "start": start, "end": end}
        for piece, part, (start, end) in zip(seen.pieces, seen.parts, seen.offsets, strict=True)
    ]
    layers, heads, *_ = seen.array.shape
    facts: dict[str, Any] = {"texts": seen.texts, "attention": {"layers": layers, "heads": heads}, "pieces": pieces}
    if found is None:
        return facts
    for piece, score in zip(pieces, found.scores.tolist(), strict=True):
        piece["score"] = score
    words = [
        {"text": word.text, "part": word.part, "start": word.start, "end": word.end, "score": score}
        for word, score in zip(found.words, found.word_scores.tolist(), strict=True)
    ]
    named = ("target", "score", "method", "value", "baseline_value", "gap")
    facts |= {name: getattr(found, name) for name in named}
    return {**facts, "words": words, "top": [{"text": word.text, "score": score} for word, score in found.top()]}


def _lines(found: Any) -> list[str]:
    if found is None:
        return ["the model gives no answer to explain: its attention is in the page of --out"]
    words = zip(found.words, found.word_scores, strict=True)
    return [f"{found.target}\t{found.score:.4f}", *(f"{score:+.4f}\t{word.text}" for word, score in words)]
