"""Ctrl-C that waits for the end of the running step."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


class Interrupts:
    """Whether Ctrl-C was pressed; `raise_if_asked` turns it into KeyboardInterrupt at a moment that can be saved."""

    asked = False

    def raise_if_asked(self) -> None:
        if self.asked:
            raise KeyboardInterrupt


@contextlib.contextmanager
def deferred() -> Iterator[Interrupts]:
    """Hold the first Ctrl-C back while the block runs; a second one interrupts at once."""
    interrupts = Interrupts()
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread may set a handler, and only it receives the signal.
        yield interrupts
        return

    def note(number: int, frame: Any) -> None:
        interrupts.asked = True
        signal.signal(signal.SIGINT, previous)

    previous = signal.signal(signal.SIGINT, note)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, previous)
