"""`Model.fit` with a folder: a run that is stopped goes on where it was, as if it had never stopped."""

import csv
import importlib.util
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

from bert_keras.errors import InputError
from bert_keras.files import output_file
from bert_keras.training import checkpoint
from bert_keras.training.checkpoint import Progress
from bert_keras.training.interrupts import Interrupts, deferred

# A save costs a second or so; at most this much work is lost to a power cut inside a long epoch.
_SECONDS_BETWEEN_SAVES = 600.0
_STOPPING_STATE = ("wait", "best", "best_epoch", "stopped_epoch")


def fit(
    model: keras.Model,
    make_dataset: Callable[[int, int], tf.data.Dataset],
    epochs: int,
    folder: str | Path | None = None,
    validation: Any = None,
    early_stopping: int | keras.callbacks.EarlyStopping | None = None,
    tensorboard: str | Path | None = None,
    csv_log: str | Path | None = None,
    save_every: int | None = None,
    class_weight: dict[int, float] | None = None,
    callbacks: Iterable[keras.callbacks.Callback] = (),
    verbose: Any = "auto",
) -> keras.callbacks.History:
    """Train a compiled model, and take up the run that `folder` holds if it holds one.

    On one device a run that was stopped (Ctrl-C, a kill, a power cut) and taken up again ends with the weights, the
    logs and the early stopping of a run that was never stopped: weights, optimizer state, dropout's seeds, the
    position in the data and the running metrics are saved after every epoch, every `save_every` batches (without it
    every ten minutes) and at Ctrl-C. Under a distribution strategy this holds from epoch to epoch; the rest of an
    epoch that was cut short sees other batches of it.

    Args:
        model: compiled, with the same settings at every start of the run.
        make_dataset: called with the first epoch and the number of its batches to leave out; returns a dataset of
            known length whose n-th iteration is that epoch + n.
        epochs: of the whole run, those of earlier starts included.
        folder: where the state is kept; None keeps none.
        validation: whatever `Model.fit` takes as `validation_data`.
        early_stopping: epochs without a better validation loss (without `validation`: training loss) after which
            training ends with the best weights, or a Keras callback for full control.
        tensorboard: folder for TensorBoard's event files.
        csv_log: file with a row an epoch; a resumed run's file holds the earlier epochs too.
        save_every: batches between saves inside an epoch.
        class_weight: weight of each class index, as `class_weights` computes them.
        callbacks: further Keras callbacks. Their own state is not saved.
        verbose: as in `Model.fit`.

    Returns:
        Keras' History, over all epochs of the run.

    Raises:
        InputError: the folder's state belongs to another model or other data, or the data has no known length.
        KeyboardInterrupt: at Ctrl-C, after the state has been saved.
    """
    if getattr(model, "optimizer", None) is None:
        raise InputError("the model is not compiled: call model.compile(**training.recipe(model, ...)) first")
    stopping = _early_stopping(early_stopping, validation is not None)
    with deferred() as interrupts:
        run = _Run(model, make_dataset, epochs, folder, validation, class_weight, stopping, interrupts)
        run.save_every, run.csv_log = save_every, csv_log
        shown: list[keras.callbacks.Callback] = [keras.callbacks.ProgbarLogger()] if verbose != 0 else []
        logged = [_tensorboard(tensorboard)] if tensorboard else []
        stopped = [stopping] if stopping else []
        history = keras.callbacks.History()
        # The first notes each step before anyone can interrupt; the last saves when all others have seen the epoch.
        run.callbacks = _Callbacks(
            [_Position(run), *logged, *callbacks, *stopped, history, *shown, _Saver(run)],
            model=model,
            epochs=epochs,
            verbose=verbose,
            steps=None,
        )
        run.train()
    history.epoch = list(range(len(run.progress.logs)))
    history.history = _columns(run.progress.logs)
    return history


class _Run:
    """One call of `fit`: what it was given and where it stands."""

    save_every: int | None = None
    csv_log: str | Path | None = None
    callbacks: "_Callbacks"

    def __init__(
        self,
        model: keras.Model,
        make_dataset: Callable[[int, int], tf.data.Dataset],
        epochs: int,
        folder: str | Path | None,
        validation: Any,
        class_weight: dict[int, float] | None,
        stopping: keras.callbacks.EarlyStopping | None,
        interrupts: Interrupts,
    ):
        self.model = model
        self.make_dataset = make_dataset
        self.epochs = epochs
        self.folder = None if folder is None else Path(folder)
        self.validation = validation
        self.class_weight = class_weight
        self.stopping = stopping
        self.interrupts = interrupts
        self.progress = Progress()
        self.in_step = False
        self.resumes_inside_epoch = False

    @property
    def state_file(self) -> Path | None:
        return self.folder / "state.npz" if self.folder else None

    def train(self) -> None:
        self._resume()
        self.callbacks.begin()
        self._restore_stopping()
        try:
            self._train_epochs()
        except KeyboardInterrupt:
            # Inside a step the weights may have moved already: what was saved last is right, this would not be.
            if not self.in_step:
                self.save()
            raise
        self.callbacks.end()

    def save(self) -> None:
        if self.state_file:
            checkpoint.save(self.state_file, self.model, self.progress)

    def note_epoch(self, logs: dict[str, float]) -> None:
        """Count an epoch as finished, and keep it."""
        self.progress.logs.append(logs)
        self.progress.epoch += 1
        self.progress.batch = 0
        self.progress.trained = {}
        self.progress.stopped = bool(self.model.stop_training)
        self._note_stopping()
        if self.csv_log:
            _write_csv(Path(self.csv_log), self.progress.logs)
        self.save()
        self._forget_old_best()

    def _train_epochs(self) -> None:
        if self._has_work() and self.progress.batch:
            self._finish_epoch()
        if self._has_work():
            dataset = self.make_dataset(self.progress.epoch, 0)
            self._check_length(_length(dataset))
            self._fit(dataset, self.epochs, None)

    def _has_work(self) -> bool:
        return self.progress.epoch < self.epochs and not self.progress.stopped

    def _finish_epoch(self) -> None:
        """Train on the rest of an epoch that was cut short."""
        epoch, done, batches = self.progress.epoch, self.progress.batch, self.progress.batches
        if done == batches:
            self._report_trained_epoch()
            return
        dataset = self.make_dataset(epoch, done)
        if _length(dataset) not in (batches, batches - done):
            self._check_length(_length(dataset) + done)
        _build_metrics(self.model, dataset)
        self.resumes_inside_epoch = True
        self.callbacks.first_batch = done
        self._fit(dataset, epoch + 1, batches - done)
        self.callbacks.first_batch = 0

    def _report_trained_epoch(self) -> None:
        """Only validation and the callbacks are left of the epoch."""
        self.model.stop_training = False
        logs = dict(self.progress.trained)
        self.callbacks.on_epoch_begin(self.progress.epoch)
        if self.validation is not None:
            found = self.model.evaluate(self.validation, callbacks=self.callbacks, return_dict=True)
            logs.update({f"val_{name}": value for name, value in found.items()})
        self.callbacks.on_epoch_end(self.progress.epoch, logs)

    def _fit(self, dataset: tf.data.Dataset, epochs: int, steps: int | None) -> None:
        self.callbacks.set_params({**self.callbacks.params, "steps": self.progress.batches})
        self.model.fit(
            dataset,
            epochs=epochs,
            initial_epoch=self.progress.epoch,
            steps_per_epoch=steps,
            shuffle=False,  # the data comes in its order; True would only make Keras warn
            validation_data=self.validation,
            class_weight=self.class_weight,
            callbacks=self.callbacks,
        )

    def _check_length(self, batches: int) -> None:
        self.progress.batches = self.progress.batches or batches
        if batches != self.progress.batches:
            raise InputError(
                f"the run in {self.folder} has {self.progress.batches} batches an epoch and this data has {batches}: "
                "resume with the same data and batch size, or choose another folder"
            )

    def _resume(self) -> None:
        if self.state_file and self.state_file.exists():
            self.progress = checkpoint.load(self.state_file, self.model)

    def _restore_stopping(self) -> None:
        # Early stopping forgets everything when training begins, so its memory comes back after that.
        remembered = self.progress.stopping
        if not (self.stopping and remembered and self.folder):
            return
        for name in _STOPPING_STATE:
            setattr(self.stopping, name, remembered[name])
        if self.stopping.restore_best_weights:
            self.stopping.best_weights = checkpoint.load_weights(self._best_file(remembered["best_epoch"]))

    def _note_stopping(self) -> None:
        if not self.stopping:
            return
        state = {name: getattr(self.stopping, name) for name in _STOPPING_STATE}
        self.progress.stopping = {name: _number(value) for name, value in state.items()}
        best = self._best_file(state["best_epoch"])
        if self.folder and self.stopping.best_weights is not None and not best.exists():
            checkpoint.save_weights(best, self.stopping.best_weights)

    def _best_file(self, epoch: int) -> Path:
        return (self.folder or Path()) / f"best-{epoch:04d}.npz"

    def _forget_old_best(self) -> None:
        if not (self.folder and self.stopping):
            return
        kept = self._best_file(self.progress.stopping["best_epoch"])
        for file in self.folder.glob("best-*.npz"):
            if file != kept:
                file.unlink()


class _Callbacks(keras.callbacks.CallbackList):
    """One list of callbacks over several calls of `Model.fit`, for which training begins and ends once."""

    first_batch = 0

    def on_train_begin(self, logs: Any = None) -> None:
        pass

    def on_train_end(self, logs: Any = None) -> None:
        pass

    def begin(self) -> None:
        super().on_train_begin()

    def end(self) -> None:
        super().on_train_end()

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        super().on_train_batch_begin(batch + self.first_batch, logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        super().on_train_batch_end(batch + self.first_batch, logs)


class _Position(keras.callbacks.Callback):
    """Keeps the run's place in the data."""

    def __init__(self, run: _Run):
        super().__init__()
        self.run = run

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        # Keras has just reset the metrics: an epoch that was cut short goes on with those it had.
        if self.run.resumes_inside_epoch and self.run.state_file:
            checkpoint.load_metrics(self.run.state_file, self.model)
        self.run.resumes_inside_epoch = False

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        self.run.in_step = True

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        progress = self.run.progress
        progress.batch = min(batch + 1, progress.batches)
        if progress.batch == progress.batches:
            progress.trained = dict(logs or {})
        self.run.in_step = False


class _Saver(keras.callbacks.Callback):
    """Saves the run when it is time, and stops it when Ctrl-C was pressed."""

    def __init__(self, run: _Run):
        super().__init__()
        self.run = run
        self.saved_at = time.monotonic()
        self.saved_batch = 0

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.saved_batch = self.run.progress.batch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self.run.interrupts.raise_if_asked()
        if self._is_due():
            self.run.save()
            self.saved_at = time.monotonic()
            self.saved_batch = self.run.progress.batch

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        self.run.interrupts.raise_if_asked()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.run.note_epoch(dict(logs or {}))
        self.saved_at = time.monotonic()
        self.run.interrupts.raise_if_asked()

    def _is_due(self) -> bool:
        if self.run.save_every is None:
            return time.monotonic() - self.saved_at >= _SECONDS_BETWEEN_SAVES
        return self.run.progress.batch - self.saved_batch >= self.run.save_every


def _early_stopping(wish: Any, validated: bool) -> keras.callbacks.EarlyStopping | None:
    if wish is None or isinstance(wish, keras.callbacks.EarlyStopping):
        return wish
    monitor = "val_loss" if validated else "loss"
    return keras.callbacks.EarlyStopping(monitor, patience=wish, restore_best_weights=True)


def _tensorboard(folder: str | Path) -> keras.callbacks.TensorBoard:
    # TensorFlow no longer brings it, and fails in the middle of the first epoch without it.
    if importlib.util.find_spec("tensorboard") is None:
        raise InputError("TensorBoard is not installed: run `pip install tensorboard`, or log to a CSV file instead")
    return keras.callbacks.TensorBoard(str(folder), write_graph=False)


def _length(dataset: tf.data.Dataset) -> int:
    length = int(dataset.cardinality())
    if length < 1:
        reason = "is empty" if length == 0 else "has no known length"
        raise InputError(f"the training data {reason}: give a dataset of at least one batch whose length is known")
    return length


def _build_metrics(model: keras.Model, dataset: tf.data.Dataset) -> None:
    """Make the variables of losses and metrics, which Keras does at the first step only."""
    _, y, *weights = tf.nest.map_structure(_one_example, dataset.element_spec)
    y_pred = tf.nest.map_structure(lambda output: tf.zeros(_shape_of_one(output.shape), output.dtype), model.output)
    weight = weights[0] if weights else None
    with model.distribute_strategy.scope():
        model.compute_loss(None, y, y_pred, weight)
        model.compute_metrics(None, y, y_pred, weight)


def _one_example(spec: tf.TensorSpec) -> tf.Tensor:
    return tf.zeros(_shape_of_one(spec.shape), spec.dtype)


def _shape_of_one(shape: Any) -> list[int]:
    return [size or 1 for size in shape]


def _number(value: Any) -> Any:
    return value if value is None or isinstance(value, int) else float(value)


def _columns(logs: list[dict[str, float]]) -> dict[str, list[float]]:
    names = {name: None for row in logs for name in row}
    return {name: [row[name] for row in logs if name in row] for name in names}


def _write_csv(path: Path, logs: list[dict[str, float]]) -> None:
    """Write all epochs anew: an epoch that is repeated after a crash appears once."""
    with output_file(path, force=True) as file, file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, ["epoch", *_columns(logs)], lineterminator="\n")
        writer.writeheader()
        writer.writerows({"epoch": epoch + 1, **row} for epoch, row in enumerate(logs))
