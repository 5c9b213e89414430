"""Early stopping that outlives the process."""

from pathlib import Path
from typing import Any

import keras

from bert_keras.training import checkpoint

_STATE = ("wait", "best", "best_epoch", "stopped_epoch")


def stopping_callback(wish: Any, validated: bool) -> keras.callbacks.EarlyStopping | None:
    """Return Keras' callback for a number of epochs to wait; a callback and None stay what they are."""
    if wish is None or isinstance(wish, keras.callbacks.EarlyStopping):
        return wish
    monitor = "val_loss" if validated else "loss"
    return keras.callbacks.EarlyStopping(monitor, patience=wish, restore_best_weights=True)


class StoppingMemory:
    """What an early stopping callback remembers, kept in a folder.

    The best weights have a file of their own, named by their epoch and written when there are better ones.

    Args:
        callback: the callback, which may be None.
        folder: where the weights are kept; None keeps none.
    """

    def __init__(self, callback: keras.callbacks.EarlyStopping | None, folder: Path | None):
        self.callback = callback
        self.folder = folder
        self.kept: Path | None = None

    def state(self) -> dict[str, Any]:
        """Return what the callback remembers as JSON values, its best weights saved."""
        if self.callback is None:
            return {}
        state = {name: _plain(getattr(self.callback, name)) for name in _STATE}
        best = self._file(state["best_epoch"])
        if best and best != self.kept and self.callback.best_weights is not None:
            checkpoint.save_weights(best, self.callback.best_weights)
            self.kept = best
        return state

    def restore(self, state: dict[str, Any]) -> None:
        """Give the callback back what `state` returned; after training began, when it forgets everything."""
        if self.callback is None or not state:
            return
        for name in _STATE:
            setattr(self.callback, name, state[name])
        best = self._file(state["best_epoch"])
        if best and self.callback.restore_best_weights and state["best"] is not None:
            self.callback.best_weights = checkpoint.load_weights(best)
            self.kept = best

    def forget_others(self) -> None:
        """Delete the weights of epochs that are the best no more."""
        if self.folder is None:
            return
        for file in self.folder.glob("best-*.npz"):
            if file != self.kept:
                file.unlink()

    def _file(self, epoch: int) -> Path | None:
        return self.folder / f"best-{epoch:04d}.npz" if self.folder else None


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, int) else float(value)
