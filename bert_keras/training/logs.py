"""What each epoch reported, as columns and as a CSV file."""

import csv
from pathlib import Path

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
