"""What each epoch reported, as columns and as a CSV file; and where logs can be written."""

import csv
import os
from pathlib import Path

from bert_keras.errors import InputError
from bert_keras.files import output_file


def columns(logs: list[dict[str, float]]) -> dict[str, list[float]]:
    """Return the values of each name over the epochs that reported it."""
    names = {name: None for row in logs for name in row}
    return {name: [row[name] for row in logs if name in row] for name in names}


def write_csv(path: Path, logs: list[dict[str, float]]) -> None:
    """Write all epochs anew, a row each: an epoch that is repeated after a crash appears once."""
    with output_file(path, force=True) as file, file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, ["epoch", *columns(logs)], lineterminator="\n")
        writer.writeheader()
        writer.writerows({"epoch": epoch + 1, **row} for epoch, row in enumerate(logs))


def refuse_bad_paths(csv_log: str | Path | None, tensorboard: str | Path | None) -> None:
    """Raise InputError where a log could not be written; call it before training.

    Args:
        csv_log: a file; its folder is made if it is missing.
        tensorboard: a folder; it is made if it is missing.
    """
    if csv_log is not None:
        if Path(csv_log).is_dir():
            raise InputError(f"the CSV log {csv_log} is a folder: name the file to write in it")
        _refuse_folder(Path(csv_log).parent, f"the CSV log {csv_log}")
    if tensorboard is not None:
        _refuse_folder(Path(tensorboard), f"TensorBoard's folder {tensorboard}")


def _refuse_folder(folder: Path, what: str) -> None:
    folder = Path(os.path.abspath(folder))
    # What is missing is made, in the nearest folder that is there.
    there = next(path for path in (folder, *folder.parents) if os.path.lexists(path))
    if not there.is_dir():
        raise InputError(f"{what} cannot be written: {there} is not a folder")
    if not os.access(there, os.W_OK):
        raise InputError(f"{what} cannot be written: you may not write in {there}")
