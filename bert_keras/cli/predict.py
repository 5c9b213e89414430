"""bert-keras predict"""

from pathlib import Path
from typing import Annotated, Any

import typer

from bert_keras.cli.options import BatchSize, Debug, Json, MaxLength, Pair, Text
from bert_keras.cli.session import session
from bert_keras.cli.texts import texts_from

# Files of words with a line each, which are no texts a line.
_OF_WORDS = (".conll", ".conllu", ".iob", ".iob2", ".bio")


def predict(
    model: Annotated[Path, typer.Argument(help="A saved folder, a .tflite file or a SavedModel.")],
    texts: Annotated[list[str] | None, typer.Argument(help="Texts; without them: --file, or what is piped in.")] = None,
    second: Annotated[
        list[str] | None,
        typer.Option(
            help="The second text, once for all or once for each: the text that holds the answer to a question, what "
            "may follow; of multiple choice every choice of the one text."
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="File with a text a line, a table, or one that the task is trained on, without answers."),
    ] = None,
    text: Text = None,
    pair: Pair = None,
    best: Annotated[int | None, typer.Option(min=1, help="Answers that are listed, where a task lists some.")] = None,
    batch_size: BatchSize = 32,
    max_length: MaxLength = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Answer each text with what the model gives.

    A line a text, divided by tabs: label and score; labels; entities; the answer to a question and its score; the
    likeliest pieces; or the beginning of an embedding.
    """
    with session(as_json, debug) as current:
        if texts and file:
            raise typer.BadParameter("give texts or --file, not both")
        if second and not texts:
            raise typer.BadParameter("--second goes with texts on the command line; in a file name the column (--pair)")

        from bert_keras.export import predictor

        opened = predictor(model, max_length, **({} if best is None else {"best": best}))
        given, pairs = _asked(opened.kind, opened.task, texts, second, file, text, pair)

        from bert_keras.cli.scoring import answered

        answers = answered(opened, given, pairs, batch_size)
        facts: list[dict[str, Any]] = [{"text": each, **answer} for each, answer in zip(given, answers, strict=True)]
        if opened.kind in ("span", "choice"):
            facts = [{"question": each, **answer} for each, answer in zip(given, answers, strict=True)]
        for fact, other in zip(facts, pairs or [], strict=False):
            fact["pair"] = other
        shown = _shown(given, pairs)
        lines = [f"{brief(answer)}\t{each}" for each, answer in zip(shown, answers, strict=True)]
        current.result({"predictions": facts}, *lines)


def _asked(
    kind: str,
    task: str,
    texts: list[str] | None,
    second: list[str] | None,
    file: Path | None,
    text: str | None,
    pair: str | None,
) -> tuple[list[Any], list[Any] | None]:
    """Texts and pairs as a predictor takes them."""
    if file is not None and not texts and (kind in ("span", "choice") or file.suffix in _OF_WORDS):
        from bert_keras.data import kind_of

        examples = kind_of(task).load(file)
        return list(examples.texts), None if examples.pairs is None else list(examples.pairs)
    given, pairs = texts_from(texts, file, text, pair)
    if not second:
        return given, pairs
    seconds, _ = texts_from(second, None)
    if kind == "choice":
        if len(given) != 1:
            raise typer.BadParameter(f"--second lists the choices of one text, and there are {len(given)} texts")
        return given, [seconds]
    if len(seconds) not in (1, len(given)):
        raise typer.BadParameter(f"there are {len(given)} texts and {len(seconds)} --second: give one for all or each")
    return given, seconds * len(given) if len(seconds) == 1 else seconds


def _shown(texts: list[Any], pairs: list[Any] | None) -> list[str]:
    first = [text if isinstance(text, str) else " ".join(text) for text in texts]
    if pairs is None or not all(isinstance(pair, str) for pair in pairs):
        return first
    return [f"{one}\t{other}" for one, other in zip(first, pairs, strict=True)]


def brief(answer: dict[str, Any]) -> str:
    """An answer in one line."""
    if "label" in answer:
        return f"{answer['label']}\t{answer['score']:.4f}"
    if "labels" in answer:
        return ", ".join(f"{label} {answer['scores'][label]:.4f}" for label in answer["labels"]) or "no label"
    if "entities" in answer:
        return _entities(answer)
    if "masks" in answer:
        return "\t".join(" ".join(best["text"] for best in mask) for mask in answer["masks"])
    if "text" in answer:
        return f"{answer['text'] or 'no answer'}\t{answer['score']:.4f}"
    if "score" in answer:
        return f"{answer['score']:.4f}"
    vector = answer["embedding"] if "embedding" in answer else answer["pooled_output"]
    return f"{len(vector)} numbers: {' '.join(f'{number:.4f}' for number in vector[:4])} …"


def _entities(answer: dict[str, Any]) -> str:
    found = [f"{entity['text']} [{entity['label']} {entity['score']:.4f}]" for entity in answer["entities"]]
    if found:
        return ", ".join(found)
    # Parts of speech make no entities.
    labels = {word["label"] for word in answer["words"]}
    if labels <= {"O"}:
        return "no entity"
    return " ".join(f"{word['text']}/{word['label']}" for word in answer["words"])
