"""`Model.fit` with a folder: a run that is stopped goes on where it was, as if it had never stopped."""

import importlib.util
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

from bert_keras.errors import InputError
from bert_keras.training import checkpoint
from bert_keras.training.callbacks import Position, Saver, Span
from bert_keras.training.checkpoint import Progress
from bert_keras.training.class_weights import with_class_weights
from bert_keras.training.interrupts import deferred
from bert_keras.training.logs import columns, refuse_bad_paths, write_csv
from bert_keras.training.stopping import StoppingMemory, stopping_callback


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
    epoch that was cut short sees other batches of it. (Keras reads one batch of a distributed dataset ahead, and
    fails where its size is no multiple of the number of replicas.)

    Args:
        model: compiled, with the same settings at every start of the run.
        make_dataset: called with the first epoch and the number of its batches to leave out; returns a dataset of
            known length whose n-th iteration is that epoch + n, as those of `bert_keras.data` are. The order of an
            epoch must not depend on anything else.
        epochs: of the whole run, those of earlier starts included.
        folder: where the state is kept; None keeps none.
        validation: whatever `Model.fit` takes as `validation_data`.
        early_stopping: epochs without a better validation loss (without `validation`: training loss) after which
            training ends with the best weights, or a Keras callback for full control.
        tensorboard: folder for TensorBoard's event files.
        csv_log: file with a row an epoch; a resumed run's file holds the earlier epochs too.
        save_every: batches between saves inside an epoch.
        class_weight: weight of each class index, as `class_weights` computes them, for labels of texts or of tokens
            (`with_class_weights`).
        callbacks: further Keras callbacks. Their own state is not saved.
        verbose: as in `Model.fit`.

    Returns:
        Keras' History, over all epochs of the run.

    Raises:
        InputError: the folder's state belongs to another model or other data, the data has no known length, or a log
            cannot be written where it should be.
        KeyboardInterrupt: at Ctrl-C, after the state has been saved.
    """
    if getattr(model, "optimizer", None) is None:
        raise InputError("the model is not compiled: call model.compile(**training.recipe(model, ...)) first")
    _warn_of_changed_trainable(model)
    refuse_bad_paths(csv_log, tensorboard)
    stopping = stopping_callback(early_stopping, validation is not None)
    if class_weight is not None:
        make_dataset = _weighted(make_dataset, class_weight)
    run = _Run(model, make_dataset, epochs, folder, stopping, csv_log)
    run.options = {"validation_data": validation}
    history = keras.callbacks.History()
    with deferred() as interrupts:
        progress = run.progress
        position = Position(progress)
        chosen = [
            position,
            *([_tensorboard(tensorboard)] if tensorboard else []),
            *callbacks,
            *([stopping] if stopping else []),
            history,
            *([keras.callbacks.ProgbarLogger()] if verbose != 0 else []),
            Saver(progress, interrupts, run.save, run.finish_epoch, save_every),
        ]
        run.train(Span(chosen, model=model, epochs=epochs, verbose=verbose, steps=None), position)
    history.epoch = list(range(len(progress.logs)))
    history.history = columns(progress.logs)
    return history


def _weighted(
    make_dataset: Callable[[int, int], tf.data.Dataset], class_weight: dict[int, float]
) -> Callable[[int, int], tf.data.Dataset]:
    return lambda epoch, batches: with_class_weights(make_dataset(epoch, batches), class_weight)


class _Run:
    """One call of `fit`: what it was given and where it stands."""

    options: dict[str, Any]
    callbacks: Span
    position: Position

    def __init__(
        self,
        model: keras.Model,
        make_dataset: Callable[[int, int], tf.data.Dataset],
        epochs: int,
        folder: str | Path | None,
        stopping: keras.callbacks.EarlyStopping | None,
        csv_log: str | Path | None,
    ):
        self.model = model
        self.make_dataset = make_dataset
        self.epochs = epochs
        self.csv_log = csv_log
        self.folder = None if folder is None else Path(folder)
        self.memory = StoppingMemory(stopping, self.folder)
        self.state_file = self.folder / "state.npz" if self.folder else None
        self.progress = Progress()
        if self.state_file and self.state_file.exists():
            self.progress = checkpoint.load(self.state_file, model)

    def train(self, callbacks: Span, position: Position) -> None:
        self.callbacks, self.position = callbacks, position
        callbacks.begin()
        self.memory.restore(self.progress.stopping)
        try:
            if self._has_work() and self.progress.batch:
                self._finish_cut_epoch()
            if self._has_work():
                self._train_epochs()
        except KeyboardInterrupt:
            # Inside a step the weights may have moved already: what was saved last is right, this would not be.
            if not position.in_step:
                self.save()
            raise
        callbacks.end()

    def save(self) -> None:
        """Save everything, where there is a folder."""
        if self.state_file:
            checkpoint.save(self.state_file, self.model, self.progress)

    def finish_epoch(self, logs: dict[str, float]) -> None:
        """Count an epoch as finished, and save."""
        progress = self.progress
        progress.logs.append(logs)
        progress.epoch += 1
        progress.batch = 0
        progress.trained = {}
        progress.stopped = bool(self.model.stop_training)
        progress.stopping = self.memory.state()
        if self.csv_log:
            write_csv(Path(self.csv_log), progress.logs)
        self.save()
        self.memory.forget_others()

    def _has_work(self) -> bool:
        return self.progress.epoch < self.epochs and not self.progress.stopped

    def _train_epochs(self) -> None:
        dataset = self.make_dataset(self.progress.epoch, 0)
        self._check_length(_length(dataset))
        self._fit(dataset, self.epochs, None)

    def _finish_cut_epoch(self) -> None:
        epoch, done, batches = self.progress.epoch, self.progress.batch, self.progress.batches
        if done == batches:
            self._report_trained_epoch()
            return
        dataset = self.make_dataset(epoch, done)
        # Both are in use: the length of the whole epoch, as `bert_keras.data` gives it, and that of what is left.
        if _length(dataset) != batches - done:
            self._check_length(_length(dataset))
        _build_metrics(self.model, dataset)
        self.position.metrics_from = self.state_file
        self.callbacks.first_batch = done
        self._fit(dataset, epoch + 1, batches - done)
        self.callbacks.first_batch = 0

    def _report_trained_epoch(self) -> None:
        """Only validation and the callbacks are left of the epoch."""
        self.model.stop_training = False
        logs = dict(self.progress.trained)
        self.callbacks.on_epoch_begin(self.progress.epoch)
        validation = self.options["validation_data"]
        if validation is not None:
            found = self.model.evaluate(validation, callbacks=self.callbacks, return_dict=True)
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
            callbacks=self.callbacks,
            **self.options,
        )

    def _check_length(self, batches: int) -> None:
        self.progress.batches = self.progress.batches or batches
        if batches != self.progress.batches:
            raise InputError(
                f"the run in {self.folder} has {self.progress.batches} batches an epoch and this data has {batches}: "
                "resume with the same data and batch size, or choose another folder"
            )


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


def _warn_of_changed_trainable(model: keras.Model) -> None:
    """Keras goes on training what was trainable at its first step, without a word."""
    optimizer = getattr(model.optimizer, "inner_optimizer", model.optimizer)  # under a loss scale
    trained = getattr(optimizer, "trained", None)
    if trained is not None and trained != [variable.path for variable in model.trainable_variables]:
        warnings.warn(
            "`trainable` was changed after the first step and this takes no effect: compile the model again",
            stacklevel=3,
        )


def _build_metrics(model: keras.Model, dataset: tf.data.Dataset) -> None:
    """Make the variables of losses and metrics, which Keras does at the first step only."""
    # Of embeddings an example is several texts, those of one anchor.
    rows = getattr(model.loss, "parts", 1)
    x, y, *weights = tf.nest.map_structure(lambda spec: _one_example(spec, rows), dataset.element_spec)
    # The model itself says how its outputs' shapes follow from the inputs', such as masked positions in both.
    y_pred = tf.nest.map_structure(tf.zeros_like, model(x, training=False))
    weight = weights[0] if weights else None
    with model.distribute_strategy.scope():
        model.compute_loss(None, y, y_pred, weight)
        model.compute_metrics(None, y, y_pred, weight)


def _one_example(spec: tf.TensorSpec, rows: int) -> tf.Tensor:
    first, *rest = spec.shape
    return tf.zeros([first or rows, *(size or 1 for size in rest)], spec.dtype)
