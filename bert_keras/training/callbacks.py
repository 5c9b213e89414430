"""The callbacks by which `fit` follows a run: one list over several calls of `Model.fit`, a first and a last."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras

from bert_keras.training import checkpoint
from bert_keras.training.checkpoint import Progress
from bert_keras.training.interrupts import Interrupts

# A save costs a second or so; at most this much work is lost to a power cut inside a long epoch.
_SECONDS_BETWEEN_SAVES = 600.0


class Span(keras.callbacks.CallbackList):
    """One list of callbacks over several calls of `Model.fit`: training begins once and ends once.

    Attributes:
        first_batch: number of the first batch of the current call, in its epoch.
    """

    first_batch = 0

    def on_train_begin(self, logs: Any = None) -> None:
        """Do nothing: see `begin`."""

    def on_train_end(self, logs: Any = None) -> None:
        """Do nothing: see `end`."""

    def begin(self) -> None:
        super().on_train_begin()

    def end(self) -> None:
        super().on_train_end()

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        super().on_train_batch_begin(batch + self.first_batch, logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        super().on_train_batch_end(batch + self.first_batch, logs)


class Position(keras.callbacks.Callback):
    """Keeps the run's place in the data. It comes first, before any callback can interrupt.

    Attributes:
        in_step: a step is running, so weights and place may not belong together.
        metrics_from: a checkpoint whose running metrics the next epoch goes on with.
    """

    in_step = False
    metrics_from: Path | None = None

    def __init__(self, progress: Progress):
        super().__init__()
        self.progress = progress

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        # Keras has just reset the metrics.
        if self.metrics_from:
            checkpoint.load_metrics(self.metrics_from, self.model)
        self.metrics_from = None

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        self.in_step = True

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self.progress.batch = min(batch + 1, self.progress.batches)
        if self.progress.batch == self.progress.batches:
            self.progress.trained = dict(logs or {})
        self.in_step = False


class Saver(keras.callbacks.Callback):
    """Saves when it is time, and stops at Ctrl-C. It comes last, when all others have seen the epoch.

    Args:
        progress: of the run.
        interrupts: whether Ctrl-C was pressed.
        save: called to save inside an epoch.
        finish_epoch: called with the logs of each finished epoch.
        save_every: batches between saves; None saves by time.
    """

    def __init__(
        self,
        progress: Progress,
        interrupts: Interrupts,
        save: Callable[[], None],
        finish_epoch: Callable[[dict[str, float]], None],
        save_every: int | None,
    ):
        super().__init__()
        self.progress = progress
        self.interrupts = interrupts
        self.save = save
        self.finish_epoch = finish_epoch
        self.save_every = save_every
        self.saved_at = time.monotonic()
        self.saved_batch = progress.batch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self.interrupts.raise_if_asked()
        if self._is_due():
            self.save()
            self._note_save()

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        self.interrupts.raise_if_asked()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.finish_epoch(dict(logs or {}))
        self._note_save()
        self.interrupts.raise_if_asked()

    def _note_save(self) -> None:
        self.saved_at = time.monotonic()
        self.saved_batch = self.progress.batch

    def _is_due(self) -> bool:
        if self.save_every is None:
            return time.monotonic() - self.saved_at >= _SECONDS_BETWEEN_SAVES
        return self.progress.batch - self.saved_batch >= self.save_every
