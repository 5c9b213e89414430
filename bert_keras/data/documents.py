"""Plain text as documents of sentences, the input of pretraining."""

import os

from bert_keras.data.plain_text import lines_of, read_text
from bert_keras.data.sentences import split_sentences


def read_documents(path: str | os.PathLike) -> list[list[str]]:
    """Read a UTF-8 text file whose documents are separated by blank lines (google-research/bert's format).

    A line is one sentence or a paragraph of several, which is split. A line of white space only is a boundary.

    Args:
        path: the file.

    Returns:
        The sentences of each document; documents without any are left out.

    Raises:
        InputError: the file is missing, not UTF-8, or holds no text.
    """
    documents: list[list[str]] = [[]]
    for line in lines_of(read_text(path)):
        sentences = split_sentences(line)
        if sentences:
            documents[-1].extend(sentences)
        elif documents[-1]:
            documents.append([])
    return [document for document in documents if document]
