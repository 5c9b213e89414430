"""bert-keras pretrain"""

import dataclasses
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from bert_keras.cli.options import (
    BatchSize,
    CsvLog,
    Debug,
    EarlyStopping,
    Force,
    Json,
    Resume,
    Seed,
    TensorBoard,
    Warmup,
    WeightDecay,
)
from bert_keras.cli.runs import check_logs, claimed, run_folder, say_how_to_resume
from bert_keras.cli.session import session


def pretrain(
    text: Annotated[
        list[Path],
        typer.Option(help="Plain text: a sentence or paragraph a line, a blank line between documents."),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the pretrained model.")],
    valid: Annotated[Path | None, typer.Option(help="Held-out text, scored after every epoch.")] = None,
    config: Annotated[str, typer.Option(help="Size: bert-tiny, bert-mini, bert-small, …")] = "bert-tiny",
    vocabulary: Annotated[Path | None, typer.Option(help="A vocab.txt; default: one is made from the text.")] = None,
    vocabulary_size: Annotated[int, typer.Option(min=10, help="Pieces of a vocabulary made here.")] = 8000,
    cased: Annotated[bool, typer.Option("--cased", help="Keep capitals and accents.")] = False,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the instances.")] = 1,
    copies: Annotated[int, typer.Option(min=1, help="Times the text is turned into instances, masked anew.")] = 10,
    batch_size: BatchSize = 32,
    max_length: Annotated[int, typer.Option(min=5, help="Longest instance in tokens.")] = 128,
    learning_rate: Annotated[float, typer.Option(help="Highest learning rate; small models bear a higher one.")] = 1e-3,
    warmup: Warmup = 0.1,
    weight_decay: WeightDecay = 0.01,
    early_stopping: EarlyStopping = None,
    tensorboard: TensorBoard = None,
    csv_log: CsvLog = None,
    seed: Seed = 0,
    resume: Resume = False,
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Pretrain a BERT from plain text.

    It guesses masked tokens and next sentences. Ctrl-C keeps what was learned; --resume goes on from there.
    """
    settings = {
        "text": [str(path) for path in text],
        "valid": valid and str(valid),
        "config": config,
        "vocabulary": vocabulary and str(vocabulary),
        "vocabulary_size": vocabulary_size,
        "cased": cased,
        "epochs": epochs,
        "copies": copies,
        "batch_size": batch_size,
        "max_length": max_length,
        "learning_rate": learning_rate,
        "warmup": warmup,
        "weight_decay": weight_decay,
        "early_stopping": early_stopping,
        "seed": seed,
    }
    with session(as_json, debug) as current, claimed(out, settings, resume, force):
        check_logs(out, csv_log, tensorboard, replace=resume or force)

        import keras

        from bert_keras import data, families, tasks, training
        from bert_keras.encoder import encoder
        from bert_keras.pretrained import save
        from bert_keras.text import Tokenizer

        keras.utils.set_random_seed(seed)
        size = families.config(config)
        families.class_of(size, "next-sentence-prediction")  # the instances are for it: refused before any work
        if max_length > size.max_length:
            raise typer.BadParameter(f"--max-length is {max_length}; {config} has {size.max_length} positions")
        documents = [document for path in text for document in data.read_documents(path)]
        held_out = data.read_documents(valid) if valid else None
        if vocabulary:
            tokenizer = Tokenizer.from_vocabulary(vocabulary, lowercase=not cased)
        else:
            sentences = (sentence for document in documents for sentence in document)
            tokenizer = Tokenizer.train(sentences, vocabulary_size, lowercase=not cased)
        instances = data.pretraining_instances(documents, tokenizer, max_length, dupe_factor=copies, seed=seed)
        validation = None
        if held_out:
            held = data.pretraining_instances(held_out, tokenizer, max_length, dupe_factor=1, seed=seed)
            # Kept in one order: losses are means over batches, and every epoch must be measured alike.
            validation = data.pretraining_dataset(held, batch_size).cache()
        model = tasks.pretraining(encoder(dataclasses.replace(size, vocab_size=len(tokenizer.vocabulary))))

        def batches(start_epoch: int = 0, skip_batches: int = 0) -> Any:
            return data.pretraining_dataset(instances, batch_size, seed, start_epoch, skip_batches)

        steps = epochs * len(batches())
        current.say(
            f"{len(documents)} documents, {len(tokenizer.vocabulary)} pieces, {len(instances)} instances, "
            f"{steps} steps, {model.count_params():,} parameters"
        )
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
                verbose=1 if sys.stdout.isatty() else 2,
            ).history
            save(model, tokenizer, out, force)
        facts = {
            "out": out,
            "steps": int(model.optimizer.iterations),
            "instances": len(instances),
            "parameters": model.count_params(),
            "metrics": _kept(history, early_stopping),
            "history": history,
            "next": f"bert-keras finetune {shlex.quote(str(out))} --train train.tsv --out finetuned",
        }
        lines = (f"{name}: {value:.4f}" for name, value in facts["metrics"].items())
        current.result(facts, *lines, f"saved {out}", f"Next: {facts['next']}")


def _kept(history: dict[str, list[float]], early_stopping: int | None) -> dict[str, float]:
    """The numbers of the epoch whose weights are kept: early stopping goes back to the best one."""
    watched = history.get("val_loss") or history["loss"]
    epoch = watched.index(min(watched)) if early_stopping else -1
    return {name: values[epoch] for name, values in history.items()}
