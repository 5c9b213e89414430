"""The tokenizer of a fairseq RoBERTa, as the files of Hugging Face's folders.

Source: facebookresearch/fairseq `data/encoders/gpt2_bpe.py`: dict.txt numbers the pieces of GPT-2's encoder.json.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from bert_keras.errors import InputError

_CONFIG = {
    "tokenizer_class": "RobertaTokenizer",
    "add_prefix_space": False,
    "bos_token": "<s>",
    "cls_token": "<s>",
    "eos_token": "</s>",
    "sep_token": "</s>",
    "pad_token": "<pad>",
    "unk_token": "<unk>",
    "mask_token": "<mask>",
}


def tokenizer_files(folder: Path, vocabulary: Sequence[str]) -> dict[str, bytes]:
    """Name of a file -> its bytes.

    Args:
        folder: that of the checkpoint; encoder.json and vocab.bpe are looked for in it.
        vocabulary: the symbols by id, of `bert_keras.weights.fairseq.open_fairseq`.

    Raises:
        InputError: the symbols are neither single characters nor numbers of GPT-2's pieces with their files beside.
    """
    symbols = [symbol for symbol in vocabulary if not symbol.startswith(("<", "madeupword"))]
    if all(len(symbol) == 1 and symbol.isascii() for symbol in symbols):
        pieces, merges = list(vocabulary), b"#version: 0.2\n"
    else:
        names, merges = _gpt2(folder, symbols)
        pieces = [names.get(symbol, symbol) for symbol in vocabulary]
    ids = {piece: index for index, piece in enumerate(pieces)}
    return {
        "vocab.json": json.dumps(ids, ensure_ascii=False).encode(),
        "merges.txt": merges,
        "tokenizer_config.json": json.dumps(_CONFIG).encode(),
    }


def _gpt2(folder: Path, symbols: Sequence[str]) -> tuple[dict[str, str], bytes]:
    encoder, merges = folder / "encoder.json", folder / "vocab.bpe"
    if not encoder.is_file() or not merges.is_file():
        raise InputError(
            f"{folder / 'dict.txt'} does not list characters, such as {symbols[0]!r}: put GPT-2's encoder.json and "
            f"vocab.bpe, which it numbers, beside it"
        )
    try:
        pieces = json.loads(encoder.read_text(encoding="utf-8"))
        names = {str(number): piece for piece, number in pieces.items()}
    except (ValueError, AttributeError, RecursionError) as error:
        raise InputError(f"{encoder} is not the JSON of a vocabulary ({error})") from error
    unknown = [symbol for symbol in symbols if symbol not in names]
    if unknown:
        raise InputError(f"{folder / 'dict.txt'} has the symbol {unknown[0]!r}, which is no number of {encoder.name}")
    return names, merges.read_bytes()
