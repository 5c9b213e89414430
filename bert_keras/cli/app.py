"""The commands, put together."""

import logging
import os
import sys
from typing import Annotated, Any

import typer
import typer.core

from bert_keras import __version__
from bert_keras.cli.convert import convert
from bert_keras.cli.embed import embed
from bert_keras.cli.evaluate import evaluate
from bert_keras.cli.explain import explain
from bert_keras.cli.export import export
from bert_keras.cli.finetune import finetune
from bert_keras.cli.inspect import inspect
from bert_keras.cli.predict import predict
from bert_keras.cli.pretrain import pretrain
from bert_keras.cli.quickstart import quickstart
from bert_keras.cli.search import search
from bert_keras.cli.session import print_json

COMMANDS = (quickstart, pretrain, finetune, evaluate, predict, explain, export, convert, inspect, embed, search)

# The error of a wrong command line, which typer gives no name of its own.
_UsageError: Any = typer.BadParameter.__base__


class _Group(typer.core.TyperGroup):
    """The commands; with --json a wrong command line is told as JSON too."""

    _as_json = False

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        self._as_json = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except _UsageError as error:
            if self._as_json:
                print_json({"error": error.format_message()})
            raise


app = typer.Typer(
    cls=_Group,
    name="bert-keras",
    no_args_is_help=True,
    add_completion=False,
    # Command bodies turn errors into sentences; with --debug the plain trace is what is wanted.
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in COMMANDS:
    app.command()(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bert-keras {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """BERT from raw text to a phone: pretrain, fine-tune, evaluate, quantize, export.

    Every command takes --json (the result as one JSON object on standard output) and --debug.
    """


def main() -> None:
    """Run the command line."""
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    if "--debug" not in sys.argv:
        _silence_libraries()
    app()


def _silence_libraries() -> None:
    """Keep what TensorFlow and LiteRT log from users: C++ writes to file descriptor 2, Python to `sys.stderr`."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    for name in ("absl", "tensorflow"):
        logging.getLogger(name).setLevel(logging.ERROR)
    sys.stderr = os.fdopen(os.dup(2), "w", buffering=1, encoding="utf-8", errors="backslashreplace")
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 2)
