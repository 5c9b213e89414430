"""Labelled (or unlabelled) texts, and where each row came from."""

from collections.abc import Sequence
from dataclasses import dataclass

from bert_keras.data.columns import Columns


@dataclass(frozen=True)
class Rows:
    """The examples of one file or TFDS split, in its order.

    Args:
        source: the name that messages use.
        texts: one text a row.
        pairs: the second text of each row, or None.
        labels: the label of each row as text, or None.
        lines: the line where each row begins (the number of the example for TFDS), from 1.
        unit: what `lines` counts.
        label_lists: for rows with any number of labels, those of each row; `labels` is None then.
        columns: the columns that were read.
    """

    source: str
    texts: list[str]
    pairs: list[str] | None
    labels: list[str] | None
    lines: Sequence[int]
    unit: str = "line"
    label_lists: list[list[str]] | None = None
    columns: Columns | None = None

    def __len__(self) -> int:
        return len(self.texts)

    def labels_among(self, known: list[str]) -> list[list[str]]:
        """The labels of each row by a model's names; the file may have their indices.

        Args:
            known: the model's labels in order.

        Raises:
            InputError: the rows have no labels, or one that the model does not know.
        """
        from bert_keras.data.label_indices import multi_targets  # which reads rows

        return [[known[place] for place in row.nonzero()[0]] for row in multi_targets(self, known)]

    def where(self, row: int) -> str:
        """Say where row `row` (from 0) stands: file and line."""
        return f"{self.source}, {self.unit} {self.lines[row]}"
