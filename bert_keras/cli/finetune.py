"""bert-keras finetune"""

import functools
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.table import Table

from bert_keras.cli.columns import chosen_columns, command_words, pair_columns
from bert_keras.cli.hints import predict_command
from bert_keras.cli.options import (
    Anchor,
    BatchSize,
    ChoiceColumns,
    CsvLog,
    DataDir,
    Debug,
    EarlyStopping,
    Force,
    Json,
    Label,
    LabelSeparator,
    MaxLength,
    Negative,
    Pair,
    Positive,
    Prompt,
    Resume,
    Scheme,
    Seed,
    Spans,
    Tags,
    TensorBoard,
    Text,
    Warmup,
    WeightDecay,
    Words,
)
from bert_keras.cli.runs import check_logs, claimed, run_folder, say_how_to_resume
from bert_keras.cli.session import session
from bert_keras.errors import InputError

# A new layer has seldom learned anything after fewer.
_FEW_STEPS = 100
# Columns of the table of epochs that fit into a line of 80 characters.
_MOST_COLUMNS = 6
# Tasks with one class a text or a word.
_WEIGHED = ("text-classification", "token-classification")


def finetune(
    source: Annotated[str, typer.Argument(help="Model to start from: a folder, hub id or TF1 checkpoint.")],
    train: Annotated[
        str,
        typer.Option(
            help="Training data: a .tsv, .csv, .jsonl or .parquet table, a CoNLL file, SQuAD's .json, or "
            "tfds:NAME[:SPLIT], as the task takes it."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the trained model.")],
    task: Annotated[str, typer.Option(help="What to train; a wrong name lists the tasks.")] = "text-classification",
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
    windows: Annotated[
        bool, typer.Option("--windows", help="Classify long texts by windows instead of cutting them.")
    ] = False,
    early_stopping: EarlyStopping = None,
    labels: Annotated[
        str | None, typer.Option(help="Labels in order, divided by commas; default: those of --train, sorted.")
    ] = None,
    text: Text = None,
    pair: Pair = None,
    label: Label = None,
    label_separator: LabelSeparator = None,
    words: Words = None,
    tags: Tags = None,
    spans: Spans = None,
    anchor: Anchor = None,
    positive: Positive = None,
    negative: Negative = None,
    prompt: Prompt = None,
    choices: ChoiceColumns = None,
    scheme: Scheme = None,
    data_dir: DataDir = None,
    tensorboard: TensorBoard = None,
    csv_log: CsvLog = None,
    seed: Seed = 0,
    resume: Resume = False,
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Train a model for a task.

    Ctrl-C keeps what was learned; --resume goes on from there.
    """
    given: dict[str, Any] = {
        "text": text,
        "pair": pair,
        "label": label,
        "label_separator": label_separator,
        "words": words,
        "tags": tags,
        "spans": spans,
        "anchor": anchor,
        "positive": positive,
        "negative": negative,
        "prompt": prompt,
        "choices": choices,
        "scheme": scheme,
        "data_dir": data_dir and str(data_dir),
    }
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
        "windows": windows,
        "early_stopping": early_stopping,
        "labels": labels,
        "seed": seed,
        **given,
    }
    with session(as_json, debug) as current, claimed(out, settings, resume, force):
        check_logs(out, csv_log, tensorboard, replace=resume or force)

        import keras

        from bert_keras import data, tasks, training
        from bert_keras.cli.training_data import opened_for, same_loss, validation_scores
        from bert_keras.pretrained import save

        trained = [name for name, other in tasks.TASKS.items() if other.examples]
        if task not in trained:
            raise typer.BadParameter(f"no task {task!r} is trained from a file; those that are: {', '.join(trained)}")
        kind = data.kind_of(task)
        columns = chosen_columns(given, kind)
        if class_weights and task not in _WEIGHED:
            raise typer.BadParameter(f"--class-weights is for {' and '.join(_WEIGHED)}, not {task}")
        if labels and not (tasks.TASKS[task].has_labels and kind.labels):
            raise typer.BadParameter(f"--labels is for tasks whose classes the data names, not {task}")
        keras.utils.set_random_seed(seed)
        examples = kind.load(train, **columns)
        held_out = kind.load(valid, **columns) if valid else None
        if held_out is not None and (examples.pairs is None) != (held_out.pairs is None):
            paired, single = (train, valid) if held_out.pairs is None else (valid, train)
            raise InputError(
                f"{paired} holds pairs of texts and {single} single ones: name their columns (--text, --pair)"
            )
        current.say(*pair_columns(examples))
        chosen = {"windows": True} if windows else {}
        model, tokenizer, new = opened_for(source, task, examples, kind, labels, chosen)
        known = tasks.labels_of(model)
        current.say(*([f"labels: {', '.join(known)}"] if known else []), f"new, to be trained: {new or 'nothing'}")

        @functools.cache  # the rows are tokenized once for the number of steps and the training
        def batches(start_epoch: int, skip_batches: int) -> Any:
            return data.read(
                examples,
                tokenizer,
                model,
                batch_size,
                max_length,
                seed=seed,
                start_epoch=start_epoch,
                skip_batches=skip_batches,
            )

        steps = epochs * len(batches(0, 0))
        if new and steps < _FEW_STEPS:
            enough = -(-2 * _FEW_STEPS // len(batches(0, 0)))
            current.say(
                f"{steps} steps in all are few for a new layer: --epochs {enough} makes {2 * _FEW_STEPS} or more"
            )
        validation = None
        loss = kind.loss(examples) if kind.loss else None
        if held_out is not None and same_loss(kind, held_out, loss):
            validation = data.read(held_out, tokenizer, model, batch_size, max_length, shuffle=False)
        weights = None
        if class_weights:
            once = data.read(examples, tokenizer, model, batch_size, max_length, shuffle=False)
            weights = training.class_weights(training.indices_in(once), len(known or []))
        model.compile(**training.recipe(model, learning_rate, steps, warmup, weight_decay, loss=loss))
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
            losses = model.evaluate(validation, return_dict=True, verbose=0) if validation else {}
            scores, tuned = validation_scores(model, tokenizer, held_out, max_length, batch_size)
            save(model, tokenizer, out, force)
        following = predict_command(out, task)
        if valid:
            following = shlex.join(["bert-keras", "evaluate", str(out), valid, *command_words(columns)])
        facts = {
            "out": out,
            "task": task,
            "labels": known,
            "steps": int(model.optimizer.iterations),
            "validation": {**losses, **scores},
            "tuned": tuned,
            "history": history.history,
            "next": following,
        }
        told = [f"{name}: {value:.4f}" for name, value in scores.items()]
        current.result(
            facts,
            _epochs_table(history.history),
            *([f"validation: {', '.join(told)}"] if told else []),
            *([tuned] if tuned else []),
            f"saved {out}",
            f"Next: {following}",
        )


def _epochs_table(history: dict[str, list[float]]) -> Table:
    if len(history) > _MOST_COLUMNS:  # of several outputs
        history = {name: values for name, values in history.items() if name in ("loss", "val_loss")}
    table = Table("epoch", *history)
    for number, values in enumerate(zip(*history.values(), strict=True), start=1):
        table.add_row(str(number), *(f"{value:.4f}" for value in values))
    return table
