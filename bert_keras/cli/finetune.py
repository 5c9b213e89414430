"""bert-keras finetune"""

import functools
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.table import Table

from bert_keras.cli.options import (
    BatchSize,
    CsvLog,
    DataDir,
    Debug,
    EarlyStopping,
    Force,
    Json,
    Label,
    MaxLength,
    Pair,
    Resume,
    Seed,
    TensorBoard,
    Text,
    Warmup,
    WeightDecay,
)
from bert_keras.cli.runs import check_logs, claimed, run_folder, say_how_to_resume
from bert_keras.cli.session import session


def finetune(
    source: Annotated[str, typer.Argument(help="Model to start from: a folder, hub id or TF1 checkpoint.")],
    train: Annotated[str, typer.Option(help="Training data: .tsv, .csv, .jsonl, or tfds:NAME[:SPLIT].")],
    out: Annotated[Path, typer.Option(help="Folder for the trained model.")],
    task: Annotated[Literal["text-classification"], typer.Option(help="What to train.")] = "text-classification",
    valid: Annotated[str | None, typer.Option(help="Held-out data, scored after every epoch.")] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the training data.")] = 3,
    learning_rate: Annotated[float, typer.Option(help="Highest learning rate; 2e-5 to 5e-5 suit BERT.")] = 5e-5,
    batch_size: BatchSize = 32,
    max_length: MaxLength = None,
    warmup: Warmup = 0.1,
    weight_decay: WeightDecay = 0.01,
    class_weights: Annotated[
        Literal["balanced"] | None, typer.Option(help="Let rare labels count as much as frequent ones.")
    ] = None,
    early_stopping: EarlyStopping = None,
    labels: Annotated[
        str | None, typer.Option(help="Labels in order, divided by commas; default: those of --train, sorted.")
    ] = None,
    text: Text = None,
    pair: Pair = None,
    label: Label = None,
    data_dir: DataDir = None,
    tensorboard: TensorBoard = None,
    csv_log: CsvLog = None,
    seed: Seed = 0,
    resume: Resume = False,
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Train a model on labelled texts.

    Ctrl-C keeps what was learned; --resume goes on from there.
    """
    columns: dict[str, Any] = {"text": text, "pair": pair, "label": label, "data_dir": data_dir and str(data_dir)}
    settings = {
        "source": source,
        "task": task,
        "train": train,
        "valid": valid,
        "epochs": epochs,
        "learning_rate": learning_rate,
        "batch_size": batch_size,
        "max_length": max_length,
        "warmup": warmup,
        "weight_decay": weight_decay,
        "class_weights": class_weights,
        "early_stopping": early_stopping,
        "labels": labels,
        "seed": seed,
        **columns,
    }
    with session(as_json, debug) as current, claimed(out, settings, resume, force):
        check_logs(out, csv_log, tensorboard, replace=resume or force)

        import keras

        from bert_keras import data, tasks, training
        from bert_keras.pretrained import load_for_labels, save

        keras.utils.set_random_seed(seed)
        names = [name.strip() for name in labels.split(",")] if labels else data.labels(train, **columns)
        model, tokenizer, report = load_for_labels(source, task, names)
        new = ", ".join(_layers(report.new)) or "nothing"
        current.say(f"labels: {', '.join(tasks.labels_of(model) or [])}; new, to be trained: {new}")

        @functools.cache  # the file is read and tokenized once for the number of steps and the training
        def batches(start_epoch: int, skip_batches: int) -> Any:
            return data.read(
                train,
                tokenizer,
                model,
                batch_size,
                max_length,
                seed=seed,
                start_epoch=start_epoch,
                skip_batches=skip_batches,
                **columns,
            )

        steps = epochs * len(batches(0, 0))
        validation = None
        if valid:
            validation = data.read(valid, tokenizer, model, batch_size, max_length, shuffle=False, **columns)
        weights = None
        if class_weights:
            targets = data.targets(data.table(train, **columns), tasks.labels_of(model))
            weights = training.class_weights(targets, len(names))
        model.compile(**training.recipe(model, learning_rate, steps, warmup, weight_decay))
        with run_folder(out, settings, resume) as folder:
            say_how_to_resume(current, out, resume)
            history = training.fit(
                model,
                batches,
                epochs,
                folder=folder,
                validation=validation,
                early_stopping=early_stopping,
                tensorboard=tensorboard,
                csv_log=csv_log,
                class_weight=weights,
                verbose=1 if sys.stdout.isatty() else 2,
            )
            # Not the last epoch's numbers: early stopping may have gone back to a better one.
            metrics = model.evaluate(validation, return_dict=True, verbose=0) if valid else {}
            save(model, tokenizer, out, force)
        chosen = [word for name, value in columns.items() if value for word in (f"--{name.replace('_', '-')}", value)]
        following = shlex.join(
            ["bert-keras", *(["evaluate", str(out), valid, *chosen] if valid else ["predict", str(out), "your text"])]
        )
        facts = {
            "out": out,
            "labels": tasks.labels_of(model),
            "steps": int(model.optimizer.iterations),
            "validation": metrics,
            "history": history.history,
            "next": following,
        }
        current.result(facts, _epochs_table(history.history), f"saved {out}", f"Next: {following}")


def _layers(paths: list[str]) -> list[str]:
    return list(dict.fromkeys(path.split("/")[0] for path in paths))


def _epochs_table(history: dict[str, list[float]]) -> Table:
    table = Table("epoch", *history)
    for number, values in enumerate(zip(*history.values(), strict=True), start=1):
        table.add_row(str(number), *(f"{value:.4f}" for value in values))
    return table
