"""bert-keras search"""

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from bert_keras.cli.options import BatchSize, Debug, Id, Json, Text
from bert_keras.cli.progress import progress_bar
from bert_keras.cli.session import Session, session
from bert_keras.cli.texts import texts_from

# Characters of a passage that are shown.
_SHOWN = 100


def search(
    index: Annotated[Path, typer.Argument(help="Folder of the index; --add makes it.")],
    queries: Annotated[
        list[str] | None, typer.Argument(help="Queries; without them: --file, or what is piped in.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="File with a query a line, or a .tsv, .csv, .jsonl or .parquet table.")
    ] = None,
    k: Annotated[int, typer.Option("--k", min=1, help="Passages to show for a query.")] = 10,
    add: Annotated[
        list[str] | None,
        typer.Option(
            help="Documents to add, or to replace where their ids are in the index: a folder of .txt and .md files, a "
            ".tsv, .csv, .jsonl or .parquet table, or a .txt with a text a line."
        ),
    ] = None,
    delete: Annotated[list[str] | None, typer.Option(help="Id of a document to delete.")] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            help="The folder, .tflite file or SavedModel for sentence-similarity that a new index is made with; later, "
            "where the same model is now."
        ),
    ] = None,
    approximate: Annotated[
        bool,
        typer.Option("--approximate", help="Make an index that compares a query with a part of very many passages."),
    ] = False,
    text: Text = None,
    id: Id = None,
    batch_size: BatchSize = 32,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Search texts by meaning, and keep the index of them.

    First deletes, then adds, then searches. A line a result, divided by tabs: cosine, id, beginning of the passage.
    """
    with session(as_json, debug) as current:
        changes = bool(add or delete)
        asked = [] if changes and not queries and not file else texts_from(queries, file, None if add else text)[0]
        if approximate and index.exists():
            raise typer.BadParameter(f"--approximate is for a new index, and {index} exists")

        from bert_keras.search import Index, documents

        # Read before anything changes.
        sources = [documents(source, text, id) for source in add or []]
        if sources and not index.exists():
            if model is None:
                raise typer.BadParameter(f"{index} does not exist: a new index needs --model")
            opened = Index.create(index, model, approximate=approximate)
        else:
            opened = Index.open(index, model)
        with opened:
            facts: dict[str, Any] = {"index": index}
            if delete:
                opened.delete(delete)
                facts["deleted"] = len(delete)
            if sources:
                facts |= _added(opened, sources, batch_size)
            facts |= {"documents": len(opened), "passages": opened.passages}
            facts["results"] = [
                {"query": query, "results": found}
                for query, found in zip(asked, opened.search(asked, k, batch_size), strict=True)
            ]
        _say(current, facts, changes)


def _added(index: Any, sources: list[Any], batch_size: int) -> dict[str, int]:
    """Add all documents at one time, so that all are in the index or none; return what became of them."""
    import dataclasses

    ids = [id for source in sources for id in source.ids]
    texts = [text for source in sources for text in source.texts]
    metadata = [about for source in sources for about in source.metadata]
    with progress_bar("embedding") as progress:
        added = index.add(ids, texts, metadata, batch_size=batch_size, progress=progress)
    return dataclasses.asdict(added)


def _say(current: Session, facts: dict[str, Any], changes: bool) -> None:
    lines = []
    if changes:
        names = ("deleted", "added", "replaced", "unchanged")
        done = ", ".join(f"{facts[name]} {name}" for name in names if name in facts)
        lines.append(f"{facts['index']}: {done}; it holds {facts['documents']} documents, {facts['passages']} passages")
    for answer in facts["results"]:
        if len(facts["results"]) > 1:
            lines.append(f"\n{answer['query']}")
        lines += [
            f"{result['score']:.4f}\t{result['id']}\t{_beginning(result['text'])}" for result in answer["results"]
        ]
        if not answer["results"]:
            lines.append("the index is empty")
    if not facts["results"]:
        lines.append(f"Next: bert-keras search {shlex.quote(str(facts['index']))} 'your query'")
    current.result(facts, *lines)


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
