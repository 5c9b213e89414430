"""What surrounds every command: where its output goes, and what its user sees of an error."""

import contextlib
import json
import math
import sys
import warnings
from collections.abc import Iterator
from typing import Any, NoReturn

import typer
from rich.console import Console, RenderableType

from bert_keras.errors import InputError

FAILURE = 1
INTERRUPTED = 130


class Session:
    """Prints for people while a command works, and at its end the result for people or for machines."""

    def __init__(self) -> None:
        self.facts: dict | None = None
        self.when_interrupted = "stopped"

    def say(self, *lines: RenderableType) -> None:
        """Print for people."""
        for line in lines:
            if isinstance(line, str):
                # Not rich: it would wrap the line, and spread its tabs.
                typer.echo(line)
            else:
                Console().print(line)

    def result(self, facts: dict, *lines: RenderableType) -> None:
        """Keep `facts` for --json and print `lines` for people."""
        self.facts = facts
        self.say(*lines)


@contextlib.contextmanager
def session(as_json: bool, debug: bool) -> Iterator[Session]:
    """Run the body of a command.

    With `as_json` whatever the body prints goes to stderr, and the facts of `Session.result` to stdout at the end. Any
    exception becomes one sentence on stderr and exit code 1 (130 after Ctrl-C); with `debug` it is raised.
    """
    current = Session()
    redirect: Any = contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext()
    try:
        with redirect, _warnings_as_sentences(debug):
            yield current
    except (typer.Exit, typer.BadParameter, BrokenPipeError):
        raise
    except KeyboardInterrupt:
        _end(current.when_interrupted, INTERRUPTED, as_json)
    # Whatever it is: no user gets a stack trace who did not ask for one. Ctrl-C and exits are no Exception.
    except Exception as error:
        if debug:
            raise
        _end(_sentence(error), FAILURE, as_json)
    if as_json:
        print_json(current.facts)


def _end(sentence: str, code: int, as_json: bool) -> NoReturn:
    typer.echo(f"bert-keras: {sentence}", err=True)
    if as_json:
        print_json({"error": sentence})
    raise typer.Exit(code)


def _sentence(error: Exception) -> str:
    if isinstance(error, InputError):
        return _printable(str(error))
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    first_line = (str(error).strip().splitlines() or [""])[0]
    return f"unexpected {type(error).__name__}: {first_line} (--debug shows the stack trace)"


def _printable(text: str) -> str:
    """The text without what steers a terminal or cannot be encoded, which the names in a file may hold."""
    kept = (character if character.isprintable() or character == "\n" else ascii(character)[1:-1] for character in text)
    return "".join(kept)


@contextlib.contextmanager
def _warnings_as_sentences(debug: bool) -> Iterator[None]:
    """Show warnings that are meant for users as a line each, and keep those meant for developers from them."""

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if category is UserWarning:
            typer.echo(f"warning: {message}", err=True)

    with warnings.catch_warnings():
        if not debug:
            warnings.showwarning = show
        yield


def print_json(facts: dict | None) -> None:
    """Print the one JSON object of a command."""
    typer.echo(json.dumps(_plain(facts), ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    """`value` in JSON's own types: arrays become lists, paths text, and numbers that JSON lacks null."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return str(value)
