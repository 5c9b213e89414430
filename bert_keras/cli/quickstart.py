"""bert-keras quickstart"""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from bert_keras.cli.options import Debug, Force, Json
from bert_keras.cli.session import session


def quickstart(
    encoder: Annotated[
        str | None,
        typer.Option(help="A real encoder, a folder or hub id; default: one pretrained here in a minute."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the model and its exported files.")] = Path(
        "bert-keras-quickstart"
    ),
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Try the whole path, nothing downloaded.

    Pretrains a small BERT, fine-tunes, evaluates, quantizes, exports and runs it, in a few minutes.
    """
    with session(as_json, debug) as current:
        from bert_keras import files
        from bert_keras import quickstart as steps

        files.refuse_existing(out, force)
        facts = steps.run(out, encoder=encoder, force=force, say=current.say)
        table = Table("", "accuracy", "agreement", "MB", "ms")
        for row in facts["table"]:
            table.add_row(
                row["name"],
                f"{row['accuracy']:.1%}",
                f"{row['agreement']:.1%}",
                f"{row['megabytes']:.1f}",
                f"{row['milliseconds']:.2f}",
            )
        current.result(facts, table, f"Next: {facts['next']}")
