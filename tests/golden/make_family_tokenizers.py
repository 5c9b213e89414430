"""Writes the tiny tokenizers of tests/golden/families: each of its family's kind, none larger than a kilobyte."""

import json
from pathlib import Path

from transformers.utils import sentencepiece_model_pb2_new as sentencepiece

LETTERS = "abcdefghij"
BPE_MERGES = ["a b", "Ġ c", "ab c"]
BPE_PIECES = ["Ġ", *LETTERS, *(merge.replace(" ", "") for merge in BPE_MERGES)]
UNIGRAM_PIECES = ["▁", *LETTERS, "ab", "▁c", "abc"]


def write_tokenizer(family: str, folder: Path) -> None:
    """Write the tokenizer files that belong to a family."""
    _WRITERS[family](folder)


def wordpiece(folder: Path) -> None:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")


def byte_level_bpe(folder: Path, specials: list[str], mask: str) -> None:
    pieces = [*specials, *BPE_PIECES, mask]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    merges = ["#version: 0.2", *BPE_MERGES]
    (folder / "merges.txt").write_text("\n".join(merges) + "\n", encoding="utf-8")


def roberta(folder: Path) -> None:
    byte_level_bpe(folder, ["<s>", "<pad>", "</s>", "<unk>"], "<mask>")


def deberta(folder: Path) -> None:
    byte_level_bpe(folder, ["[PAD]", "[CLS]", "[SEP]", "[UNK]"], "[MASK]")
    _write_json(folder / "tokenizer_config.json", {"tokenizer_class": "DebertaTokenizer"})


def unigram(file: Path, specials: list[str], unknown: str) -> None:
    model = sentencepiece.ModelProto()
    kinds = sentencepiece.ModelProto.SentencePiece.Type
    for special in specials:
        kind = kinds.Value("UNKNOWN" if special == unknown else "CONTROL")
        model.pieces.add(piece=special, score=0.0, type=kind)
    for rank, piece in enumerate(UNIGRAM_PIECES):
        model.pieces.add(piece=piece, score=-1.0 - rank / 8, type=kinds.Value("NORMAL"))
    model.trainer_spec.model_type = sentencepiece.TrainerSpec.ModelType.Value("UNIGRAM")
    model.trainer_spec.unk_id = specials.index(unknown)
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = True
    model.normalizer_spec.remove_extra_whitespaces = True
    model.normalizer_spec.escape_whitespaces = True
    file.write_bytes(model.SerializeToString())


def albert(folder: Path) -> None:
    unigram(folder / "spiece.model", ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"], "<unk>")


def xlm_roberta(folder: Path) -> None:
    unigram(folder / "sentencepiece.bpe.model", ["<unk>", "<s>", "</s>"], "<unk>")


def deberta_v2(folder: Path) -> None:
    specials = ["[PAD]", "[CLS]", "[SEP]", "[UNK]"]
    unigram(folder / "spm.model", specials, "[UNK]")
    _write_json(folder / "added_tokens.json", {"[MASK]": len(specials) + len(UNIGRAM_PIECES)})
    _write_json(folder / "tokenizer_config.json", {"tokenizer_class": "DebertaV2Tokenizer"})


def _write_json(file: Path, values: dict) -> None:
    file.write_text(json.dumps(values) + "\n", encoding="utf-8")


_WRITERS = {
    "bert": wordpiece,
    "distilbert": wordpiece,
    "electra": wordpiece,
    "roberta": roberta,
    "deberta": deberta,
    "albert": albert,
    "xlm-roberta": xlm_roberta,
    "deberta-v2": deberta_v2,
}
