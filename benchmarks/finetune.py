"""Seconds an epoch of fine-tuning, beside transformers + torch and KerasHub: same texts, same batch size, same machine.

Every contender trains as its users do: bert_keras with `bk.data.read`, `bk.training.recipe` and `model.fit`;
transformers with dynamic padding, sdpa attention and torch's fused AdamW; KerasHub with its own preprocessor at a fixed
length.
"""

import json
import statistics
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import harness
from harness import Turn

import bert_keras as bk


def with_bert_keras(turn: Turn, options: Namespace) -> None:
    labels = bk.data.labels(options.train)
    model, tokenizer = bk.load(options.model, task="text-classification", labels=labels)
    # The same seed gives the same batches, so one dataset tells the shapes of the other's.
    train, twin = (
        bk.data.read(options.train, tokenizer, model, batch_size=options.batch_size, max_length=options.max_length)
        for _ in range(2)
    )
    epochs = options.total_steps // len(train) + 1
    shapes = (inputs["token_ids"].shape for _ in range(epochs) for inputs, _ in twin)
    flops = [_training_flops(options, shape, last_rows=1) for shape in shapes]
    model.compile(**bk.training.recipe(model, options.learning_rate, steps=epochs * len(train)))
    turn.ready(steps_per_epoch=len(train))
    model.fit(train, epochs=epochs, verbose=0, callbacks=[_pace(turn, flops)])


def with_transformers(turn: Turn, options: Namespace) -> None:
    _train_with_torch(turn, options, by_length=False)


def with_transformers_by_length(turn: Turn, options: Namespace) -> None:
    _train_with_torch(turn, options, by_length=True)


def with_kerashub(turn: Turn, options: Namespace) -> None:
    import keras
    import keras_hub
    import numpy as np

    texts, targets, classes = _examples(options)
    steps_per_epoch = -(-len(texts) // options.batch_size)
    epochs = options.total_steps // steps_per_epoch + 1
    preprocessor = keras_hub.models.BertTextClassifierPreprocessor.from_preset(
        options.model, sequence_length=options.max_length
    )
    model = keras_hub.models.BertTextClassifier.from_preset(
        options.model, num_classes=classes, preprocessor=preprocessor, activation=None
    )
    optimizer = keras.optimizers.AdamW(options.learning_rate, weight_decay=0.01, global_clipnorm=1.0)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer, loss, metrics=["accuracy"])
    flops = [_training_flops(options, (options.batch_size, options.max_length))] * (epochs * steps_per_epoch)
    turn.ready(steps_per_epoch=steps_per_epoch)
    model.fit(
        x=np.array(texts),
        y=np.array(targets),
        batch_size=options.batch_size,
        epochs=epochs,
        verbose=0,
        callbacks=[_pace(turn, flops)],
    )


CONTENDERS = {
    "bert_keras": with_bert_keras,
    "transformers": with_transformers,
    "transformers-by-length": with_transformers_by_length,
    "kerashub": with_kerashub,
}


def _pace(turn: Turn, flops: list[float]) -> Any:
    """A callback that passes the turn on after each block of batches of a `model.fit`."""
    import keras

    class Pace(keras.callbacks.Callback):
        def on_train_begin(self, logs: Any = None) -> None:
            self.flops = iter(flops)

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            turn.step(next(self.flops))

    return Pace()


def _train_with_torch(turn: Turn, options: Namespace, by_length: bool) -> None:
    import torch
    from transformers import (
        AutoModelForSequenceClassification,
        AutoTokenizer,
        DataCollatorWithPadding,
        get_linear_schedule_with_warmup,
    )
    from transformers.trainer_pt_utils import LengthGroupedSampler

    texts, targets, classes = _examples(options)
    torch.manual_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    encoded = tokenizer(texts, truncation=True, max_length=options.max_length)
    rows = [{"labels": target, **{k: v[i] for k, v in encoded.items()}} for i, target in enumerate(targets)]
    lengths = [len(ids) for ids in encoded["input_ids"]]
    sampler = LengthGroupedSampler(options.batch_size, lengths=lengths) if by_length else None
    loader: Any = torch.utils.data.DataLoader(
        rows,
        batch_size=options.batch_size,
        shuffle=None if by_length else True,
        sampler=sampler,
        collate_fn=DataCollatorWithPadding(tokenizer),
    )
    model = AutoModelForSequenceClassification.from_pretrained(
        options.model, num_labels=classes, attn_implementation="sdpa"
    )
    model.train()
    groups = [
        {"params": [p for p in model.parameters() if p.ndim >= 2], "weight_decay": 0.01},
        {"params": [p for p in model.parameters() if p.ndim < 2], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=options.learning_rate, fused=True)
    epochs = options.total_steps // len(loader) + 1
    steps = epochs * len(loader)
    schedule = get_linear_schedule_with_warmup(optimizer, steps // 10, steps)

    def batches() -> Iterator[Any]:
        for _ in range(epochs):
            yield from loader

    turn.ready(steps_per_epoch=len(loader))
    for batch in batches():
        optimizer.zero_grad()
        loss = model(**batch).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        turn.step(_training_flops(options, batch["input_ids"].shape))


def _examples(options: Namespace) -> tuple[list[str], list[int], int]:
    """The texts, the indices of their labels and the number of classes, as bert_keras reads them."""
    rows, names = bk.data.table(options.train), bk.data.labels(options.train)
    return rows.texts, [names.index(label) for label in rows.labels or []], len(names)


def _training_flops(options: Namespace, shape: Sequence[int], last_rows: int | None = None) -> float:
    # The backward pass computes two products for each one of the forward pass.
    batch, length = shape
    return 3 * harness.encoder_flops(options.sizes, batch, length, last_rows)


def main() -> None:
    parser = harness.arguments("Seconds an epoch of fine-tuning, beside transformers + torch.")
    parser.add_argument("--model", default=str(harness.REAL / "minilm"), help="model folder")
    parser.add_argument("--train", default=str(harness.REAL / "sentiment" / "train.tsv"), help="texts with labels")
    names = list(CONTENDERS)
    parser.add_argument("--contenders", nargs="+", choices=names, default=names[:2], help="compared with the first")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--max-length", type=int, default=64)
    parser.add_argument("--learning-rate", type=float, default=5e-5)
    parser.add_argument("--block", type=int, default=40, help="steps a turn")
    parser.add_argument("--steps", type=int, default=120, help="measured steps of each contender")
    parser.add_argument("--full", action="store_true", help="measure as many steps as an epoch has")
    parser.add_argument("--threads", type=int, default=harness.cores())
    parser.add_argument("--clock", choices=harness.CLOCKS, default="wall", help="cpu where other work runs beside")
    options = parser.parse_args()

    harness.use_threads(options.threads)
    options.sizes = json.loads((Path(options.model) / "config.json").read_text())
    if options.full:
        options.steps = -(-len(bk.data.table(options.train)) // options.batch_size)
    rounds = -(-options.steps // options.block)
    block = -(-options.steps // rounds)
    options.total_steps = block * (rounds + 1)
    contenders = {name: CONTENDERS[name] for name in options.contenders}
    peak = harness.sgemm_peak(options.clock)
    results = harness.alternate(contenders, options, block, rounds, options.clock)
    peak = max(peak, harness.sgemm_peak(options.clock))

    epochs = [statistics.fmean(result.seconds) * result.facts["steps_per_epoch"] for result in results]
    rows = [
        {
            "contender": result.name,
            "s/epoch": round(seconds, 1),
            "ratio": round(epochs[0] / seconds, 3),
            "median ms/step": round(1000 * statistics.median(result.seconds)),
            "TFLOP/epoch": round(statistics.fmean(result.flops) * result.facts["steps_per_epoch"] / 1e12, 1),
            "share of peak": round(result.flops_per_second / peak, 2),
            "peak GB": round(result.peak_bytes / 1e9, 2),
        }
        for result, seconds in zip(results, epochs, strict=True)
    ]
    details = {
        "ratio": f"time of {results[0].name} / time of the contender",
        "versions": harness.versions(["tensorflow", "keras", "keras-hub", "torch", "transformers"]),
        "clock": options.clock,
        "threads": options.threads,
        "TFLOP/epoch": "matrix products of the encoder, forward and backward, padding included",
        "share of peak": f"products a second / those of a large float32 product ({peak / 1e9:.0f} GFLOP/s)",
        "measured": f"{block * rounds} steps each in turns of {block}, after a turn to warm up",
        "data": f"{options.train}, batches of {options.batch_size}, at most {options.max_length} tokens",
    }
    harness.show(f"Fine-tuning {options.model}: seconds an epoch", {"epoch": rows}, details, options.json)


if __name__ == "__main__":
    main()
