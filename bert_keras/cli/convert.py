"""bert-keras convert"""

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Column, Table

from bert_keras.cli.options import Debug, Force, Json
from bert_keras.cli.session import session


def convert(
    source: Annotated[
        str,
        typer.Argument(
            help="Checkpoint to read: a folder, a hub id, a TF1 checkpoint, a KerasHub preset or a fairseq .pt."
        ),
    ],
    out: Annotated[Path, typer.Argument(help="Folder to write.")],
    to: Annotated[
        Literal["hf", "tf1", "keras-hub"],
        typer.Option(
            help="Layout: hf is Hugging Face's (config.json, model.safetensors, tokenizer), tf1 Google's TensorFlow 1 "
            "checkpoint, keras-hub a KerasHub preset."
        ),
    ] = "hf",
    task: Annotated[str | None, typer.Option(help="Head to keep; default: the one that the checkpoint holds.")] = None,
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Convert a checkpoint to another layout.

    Says of every tensor what became of it: read, transposed, ignored, newly initialised, not written.
    """
    with session(as_json, debug) as current:
        from bert_keras import files

        files.refuse_existing(out, force)

        from bert_keras.pretrained import load_with_report, save_with_report
        from bert_keras.tasks import TASKS, task_of

        if task is not None and task not in TASKS:
            raise typer.BadParameter(f"no task is named {task!r}; known are {', '.join(TASKS)}")
        model, tokenizer, report = load_with_report(source, task)
        written = save_with_report(model, tokenizer, out, force, layout=to)
        # Folded, not cut: names of tensors differ at their ends.
        table = Table(Column("tensor", overflow="fold"), Column("became", overflow="fold"))
        for name, path in report.read.items():
            table.add_row(name, path + (" (transposed)" if name in report.transposed else ""))
        for name, reason in report.ignored.items():
            table.add_row(name, f"ignored: {reason}")
        for path in report.new:
            table.add_row("", f"{path} (new, to be trained)")
        for name, reason in written.ignored.items():
            table.add_row(name, f"not written: {reason}")
        for path in written.new:
            table.add_row("", f"{path} (new in {out})")
        facts = {
            "source": source,
            "out": out,
            "layout": to,
            "task": task_of(model),
            "read": report.read,
            "transposed": report.transposed,
            "ignored": report.ignored,
            "new": report.new,
            "not_written": written.ignored,
            "new_in_out": written.new,
        }
        counts = f"{len(report.read)} tensors read, {len(report.ignored)} ignored, {len(report.new)} variables new"
        current.result(facts, table, f"{counts}; saved {out}")
