"""The truth of an index: texts, metadata and vectors in one SQLite file, changed by transactions. H numbers a vector.

SQLite takes back what a process that was killed had begun, and keeps a second writer out. The vectors lie in a table of
their own, so that reading all of them reads no text. A passage's number is never used again: two states of an index
differ by the numbers that they hold.
"""

import contextlib
import dataclasses
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.errors import InputError

FORMAT = 1
# Readers wait so long for a writer that is putting its work down, in seconds.
_PATIENCE = 60
_CHUNK = 8192
_TABLES = (
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE documents (id TEXT PRIMARY KEY, metadata TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE passages (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, "
    "document TEXT NOT NULL REFERENCES documents, text TEXT NOT NULL, digest BLOB NOT NULL)",
    "CREATE INDEX passages_of_document ON passages (document)",
    "CREATE INDEX passages_of_digest ON passages (digest)",
    "CREATE TABLE vectors (number INTEGER PRIMARY KEY, vector BLOB NOT NULL)",
)


@dataclasses.dataclass(frozen=True)
class Facts:
    """What holds for a whole index.

    Args:
        dimension: H.
        approximate: search is approximate once there are many vectors.
        model: where the model was, if it had a place.
        probes: the model's vectors of `Embedder.probes`, if there was a model.
    """

    dimension: int
    approximate: bool
    model: str | None = None
    probes: list[list[float]] | None = None


@dataclasses.dataclass(frozen=True)
class Passage:
    """A document or a part of it: its id, its text, and a digest of the text."""

    id: str
    text: str
    digest: bytes


class Store:
    """An open file.

    Args:
        path: a file that `Store.create` made.

    Raises:
        InputError: it is damaged, or of a later version.
    """

    def __init__(self, path: Path):
        self.path = path
        # Transactions are begun here, by name, not by the module.
        self._connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
        # Nothing is put into the file before the end, or readers would wait while texts are embedded.
        self._connection.execute("PRAGMA cache_spill = OFF")
        try:
            facts = {name: json.loads(value) for name, value in self._connection.execute("SELECT * FROM facts")}
            version = facts.pop("format")
            if version != FORMAT:
                raise InputError(f"{path} has the format {version}, this version reads {FORMAT}: make the index anew")
            self.facts = Facts(**facts)
            self._check(isinstance(self.facts.dimension, int) and _are_numbers(self.facts.probes), "its facts")
        except (sqlite3.DatabaseError, KeyError, TypeError, json.JSONDecodeError) as error:
            raise InputError(f"{path} is damaged ({error}): make the index anew") from error

    def _check(self, right: bool, what: str) -> None:
        if not right:
            raise InputError(f"{self.path} is damaged: {what} are missing or cut; make the index anew")

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Say in a sentence what SQLite cannot do: a damaged page is found when it is read, a full disk at the end."""
        try:
            yield
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"{self.path} cannot be read or written ({error}): if it is damaged, make the index anew"
            ) from error

    @classmethod
    def create(cls, path: Path, facts: Facts) -> None:
        """Make a file without documents.

        Args:
            path: a file that does not exist.
            facts: of the new index.
        """
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            # A vector of 384 numbers fills a third of a usual page, and the rest would stay empty.
            connection.execute("PRAGMA page_size = 16384")
            connection.execute("BEGIN")
            for table in _TABLES:
                connection.execute(table)
            rows = {"format": FORMAT, **dataclasses.asdict(facts)}.items()
            connection.executemany("INSERT INTO facts VALUES (?, ?)", [(key, json.dumps(value)) for key, value in rows])
            connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other writers out; all that the block changes counts at its end, or not at all.

        Raises:
            InputError: another process is writing.
        """
        self._connection.execute("PRAGMA busy_timeout = 0")
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise InputError(f"{self.path} cannot be written ({error})") from None
            raise InputError(
                f"another process is writing {self.path.parent} at this moment: wait until it has ended"
            ) from None
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {1000 * _PATIENCE}")
        with self._ended():
            yield

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """See one state of the file in the whole block."""
        self._connection.execute("BEGIN")
        with self._ended():
            yield

    @contextlib.contextmanager
    def _ended(self) -> Iterator[None]:
        with self._told():
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                # A full disk may have ended it already.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def state(self) -> tuple[int, int]:
        """Two numbers that are others after every change, of this process or of another."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        return version, self._connection.total_changes

    def count(self, table: str = "documents") -> int:
        """How many `documents` or `passages` there are."""
        with self._told():
            return self._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]

    def numbers(self) -> np.ndarray:
        """The numbers of all passages, int64, rising."""
        rows = self._connection.execute("SELECT number FROM vectors ORDER BY number")
        return np.fromiter((number for (number,) in rows), np.int64)

    def vectors(self, numbers: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield numbers, int64 `[n]`, and their vectors, float32 `[n, H]`, some thousand at a time.

        Args:
            numbers: int64, rising; those of passages.

        Raises:
            InputError: the file is damaged.
        """
        for start in range(0, len(numbers), _CHUNK):
            chunk = numbers[start : start + _CHUNK]
            wanted = set(chunk.tolist())
            rows = self._connection.execute(
                "SELECT number, vector FROM vectors WHERE number BETWEEN ? AND ? ORDER BY number",
                (int(chunk[0]), int(chunk[-1])),
            )
            found = b"".join(vector for number, vector in rows if number in wanted and isinstance(vector, bytes))
            self._check(len(found) == 4 * len(chunk) * self.facts.dimension, "vectors")
            yield chunk, np.frombuffer(found, "<f4").reshape(len(chunk), -1)

    def document(self, id: str) -> tuple[str, dict[str, str]] | None:
        """The metadata (JSON) and the passages (id -> text) of a document; None if it is not there."""
        row = self._connection.execute("SELECT metadata FROM documents WHERE id = ?", (id,)).fetchone()
        if row is None:
            return None
        return row[0], dict(self._connection.execute("SELECT id, text FROM passages WHERE document = ?", (id,)))

    def vector_of(self, digest: bytes) -> bytes | None:
        """The vector of a text that is in the file, wherever it is."""
        row = self._connection.execute(
            "SELECT vector FROM passages JOIN vectors USING (number) WHERE digest = ? LIMIT 1", (digest,)
        ).fetchone()
        return row and row[0]

    def set_metadata(self, id: str, metadata: str) -> None:
        """Replace a document's metadata (JSON)."""
        self._connection.execute("UPDATE documents SET metadata = ? WHERE id = ?", (metadata, id))

    def insert(self, id: str, metadata: str, passages: Iterable[tuple[Passage, bytes]]) -> None:
        """Add a document with its passages and their vectors.

        Raises:
            InputError: one of the ids is that of another passage.
        """
        self._connection.execute("INSERT INTO documents VALUES (?, ?)", (id, metadata))
        for passage, vector in passages:
            row = (passage.id, id, passage.text, passage.digest)
            try:
                cursor = self._connection.execute(
                    "INSERT INTO passages (id, document, text, digest) VALUES (?, ?, ?, ?)", row
                )
            except sqlite3.IntegrityError:
                raise InputError(f"{passage.id!r} is the id of a passage of another document: choose another") from None
            self._connection.execute("INSERT INTO vectors VALUES (?, ?)", (cursor.lastrowid, vector))

    def remove(self, id: str) -> bool:
        """Remove a document with its passages; False if it is not there."""
        of_document = "(SELECT number FROM passages WHERE document = ?)"
        self._connection.execute(f"DELETE FROM vectors WHERE number IN {of_document}", (id,))
        self._connection.execute("DELETE FROM passages WHERE document = ?", (id,))
        return self._connection.execute("DELETE FROM documents WHERE id = ?", (id,)).rowcount > 0

    def entries(self, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
        """The id, text and metadata of passages by their numbers."""
        query = "SELECT p.id, p.text, d.metadata FROM passages p JOIN documents d ON d.id = p.document WHERE number = ?"
        found = {}
        for number in numbers:
            row = self._connection.execute(query, (number,)).fetchone()
            self._check(row is not None, "passages")
            try:
                found[number] = {"id": row[0], "text": row[1], "metadata": json.loads(row[2])}
            except ValueError:
                self._check(False, f"the metadata of {row[0]!r}")
        return found


def _are_numbers(probes: Any) -> bool:
    """Whether they are lists of as many numbers, or there are none."""
    try:
        return probes is None or np.array(probes, np.float32).ndim == 2
    except (TypeError, ValueError):
        return False
