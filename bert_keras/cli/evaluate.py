"""bert-keras evaluate"""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from bert_keras.cli.options import BatchSize, DataDir, Debug, Force, Json, Label, Pair, Text
from bert_keras.cli.session import session


def evaluate(
    model: Annotated[Path, typer.Argument(help="A saved folder, a .tflite file or a SavedModel.")],
    data: Annotated[str, typer.Argument(help="Labelled data: .tsv, .csv, .jsonl, or tfds:NAME[:SPLIT].")],
    against: Annotated[
        Path | None, typer.Option(help="Another model: say how often the two give the same label.")
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="Write each text's label and score to this .tsv or .jsonl file.")
    ] = None,
    batch_size: BatchSize = 32,
    text: Text = None,
    pair: Pair = None,
    label: Label = None,
    data_dir: DataDir = None,
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Score a classifier on labelled texts.

    Gives accuracy with its 95 % interval, macro F1, each class, and which class is taken for which.
    """
    with session(as_json, debug) as current:
        from bert_keras import files
        from bert_keras.errors import InputError

        if predictions:
            if predictions.suffix not in (".tsv", ".jsonl"):
                raise typer.BadParameter("--predictions must end in .tsv or .jsonl")
            files.refuse_existing(predictions, force)

        from bert_keras import metrics
        from bert_keras.data import table, targets
        from bert_keras.export import predictor

        rows = table(data, text, pair, label, data_dir)
        scored: Any = predictor(model)
        other: Any = predictor(against) if against else scored
        for path, opened in ((model, scored), (against, other)):
            if opened.labels is None:
                raise InputError(f"{path} is for {opened.task}: evaluate scores models that give labels")
        true = [scored.labels[index] for index in targets(rows, scored.labels)]
        answers = scored(rows.texts, rows.pairs, batch_size=batch_size)
        predicted = [answer["label"] for answer in answers]
        facts: dict[str, Any] = {
            "model": model,
            "data": data,
            "examples": len(true),
            "accuracy": metrics.accuracy(true, predicted),
            "accuracy_interval": metrics.bootstrap_interval(true, predicted),
            "macro_f1": metrics.f1(true, predicted),
            "classes": metrics.precision_recall(true, predicted),
            "labels": scored.labels,
            "confusion": metrics.confusion_matrix(true, predicted, scored.labels),
        }
        if against:
            others = [answer["label"] for answer in other(rows.texts, rows.pairs, batch_size=batch_size)]
            facts["against"] = against
            facts["agreement"] = metrics.accuracy(others, predicted)
            facts["against_accuracy"] = metrics.accuracy(true, others)
        if predictions:
            with files.output_file(predictions, force) as file:
                _write(file, rows.texts, true, answers)
        current.result(facts, _summary(facts), _classes(facts), _confusion(facts))


def _write(file: Path, texts: list[str], true: list[str], answers: list[dict[str, Any]]) -> None:
    facts = [
        {"label": wanted, "predicted": answer["label"], "score": answer["score"], "text": text}
        for text, wanted, answer in zip(texts, true, answers, strict=True)
    ]
    with file.open("w", encoding="utf-8", newline="\n") as out:
        if file.suffix == ".jsonl":
            out.writelines(json.dumps(fact, ensure_ascii=False) + "\n" for fact in facts)
            return
        out.write("\t".join(facts[0]) + "\n")
        # White space of a text would be read as the end of its cell or line.
        out.writelines("\t".join(" ".join(str(value).split()) for value in fact.values()) + "\n" for fact in facts)


def _summary(facts: dict[str, Any]) -> str:
    low, high = facts["accuracy_interval"]
    lines = [
        f"{facts['examples']} examples: accuracy {facts['accuracy']:.4f} (95 % interval {low:.4f} to {high:.4f}), "
        f"macro F1 {facts['macro_f1']:.4f}"
    ]
    if "agreement" in facts:
        lines.append(
            f"same label as {facts['against']} for {facts['agreement']:.4f} of them "
            f"(its accuracy: {facts['against_accuracy']:.4f})"
        )
    return "\n".join(lines)


def _classes(facts: dict[str, Any]) -> Table:
    table = Table("label", "precision", "recall", "F1", "examples")
    for name, scores in facts["classes"].items():
        numbers = (f"{scores[key]:.4f}" for key in ("precision", "recall", "f1"))
        table.add_row(name, *numbers, str(scores["support"]))
    return table


def _confusion(facts: dict[str, Any]) -> Table:
    table = Table("is \\ taken for", *facts["labels"])
    for name, counts in zip(facts["labels"], facts["confusion"], strict=True):
        table.add_row(name, *map(str, counts))
    return table
