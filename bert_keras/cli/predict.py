"""bert-keras predict"""

from pathlib import Path
from typing import Annotated, Any

import typer

from bert_keras.cli.options import BatchSize, Debug, Json, Pair, Text
from bert_keras.cli.session import session
from bert_keras.cli.texts import texts_from


def predict(
    model: Annotated[Path, typer.Argument(help="A saved folder, a .tflite file or a SavedModel.")],
    texts: Annotated[list[str] | None, typer.Argument(help="Texts; without them: --file, or what is piped in.")] = None,
    file: Annotated[Path | None, typer.Option(help="File with a text a line, or a .tsv, .csv or .jsonl table.")] = None,
    text: Text = None,
    pair: Pair = None,
    batch_size: BatchSize = 32,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Answer each text with what the model gives.

    A line a text, divided by tabs: label and score, or the likeliest pieces, or the beginning of an embedding.
    """
    with session(as_json, debug) as current:
        given, pairs = texts_from(texts, file, text, pair)

        from bert_keras.export import predictor

        answers = predictor(model)(given, pairs, batch_size=batch_size)
        shown = given if pairs is None else [f"{first}\t{second}" for first, second in zip(given, pairs, strict=True)]
        lines = [f"{_brief(answer)}\t{each}" for each, answer in zip(shown, answers, strict=True)]
        facts: list[dict[str, Any]] = [{"text": each, **answer} for each, answer in zip(given, answers, strict=True)]
        for fact, second in zip(facts, pairs or [], strict=False):
            fact["pair"] = second
        current.result({"predictions": facts}, *lines)


def _brief(answer: dict[str, Any]) -> str:
    if "label" in answer:
        return f"{answer['label']}\t{answer['score']:.4f}"
    if "masks" in answer:
        return "\t".join(" ".join(best["piece"] for best in mask) for mask in answer["masks"])
    vector = answer["embedding"] if "embedding" in answer else answer["pooled_output"]
    return f"{len(vector)} numbers: {' '.join(f'{number:.4f}' for number in vector[:4])} …"
