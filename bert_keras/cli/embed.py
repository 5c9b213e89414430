"""bert-keras embed"""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from bert_keras.cli.options import BatchSize, Debug, Force, Id, Json, Text
from bert_keras.cli.progress import progress_bar
from bert_keras.cli.session import session


def embed(
    model: Annotated[Path, typer.Argument(help="A folder, .tflite file or SavedModel for sentence-similarity.")],
    source: Annotated[
        str,
        typer.Argument(
            help="A folder of .txt and .md files, a .tsv, .csv, .jsonl or .parquet table, or a .txt with a text a line."
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(help="File to write: .npy has float32 [texts, numbers], with the ids beside it; or .jsonl."),
    ],
    dimensions: Annotated[
        int | None, typer.Option(min=1, help="Keep the first numbers only, scaled to length 1 again (Matryoshka).")
    ] = None,
    text: Text = None,
    id: Id = None,
    batch_size: BatchSize = 32,
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Turn texts into vectors of length 1.

    A vector a text, in the order of the source; of a text longer than the model reads the end is left out.
    """
    with session(as_json, debug) as current:
        from bert_keras import files

        if out.suffix not in (".npy", ".jsonl"):
            raise typer.BadParameter("--out must end in .npy or .jsonl")
        written = [out, out.with_suffix(".ids.json")] if out.suffix == ".npy" else [out]
        for file in written:
            files.refuse_existing(file, force)

        from bert_keras.search import Embedder, documents

        found = documents(source, text, id)
        embedder = Embedder(model)
        with progress_bar("embedding") as progress:
            vectors = embedder(found.texts, batch_size, progress, dimensions)
        _write(written, found.ids, vectors, force)
        cut = embedder.too_long(found.texts)
        facts: dict[str, Any] = {
            "model": model,
            "source": source,
            "out": out,
            "texts": len(vectors),
            "dimensions": vectors.shape[1],
            "cut": cut,
        }
        lines = [f"saved {' and '.join(map(str, written))}: {len(vectors)} vectors of {vectors.shape[1]} numbers"]
        if cut:
            are = "1 text is" if cut == 1 else f"{cut} texts are"
            lines.append(f"{are} longer than the {embedder.max_length} tokens that the model reads of a text")
        current.result(facts, *lines)


def _write(written: list[Path], ids: list[str], vectors: Any, force: bool) -> None:
    import numpy as np

    from bert_keras import files

    if len(written) == 1:
        with files.output_file(written[0], force) as file, file.open("w", encoding="utf-8", newline="\n") as lines:
            for id, vector in zip(ids, vectors.tolist(), strict=True):
                lines.write(json.dumps({"id": id, "embedding": vector}, ensure_ascii=False) + "\n")
        return
    with files.output_file(written[1], force) as file:
        file.write_text(json.dumps(ids, ensure_ascii=False) + "\n", encoding="utf-8")
    with files.output_file(written[0], force) as file:
        np.save(file, vectors)
