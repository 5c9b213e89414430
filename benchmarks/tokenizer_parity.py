"""How many of some thousand strings our tokenizers cut otherwise than the fast tokenizers of transformers.

The strings are the awkward and the random ones of tests/text/awkward.py, without those that hold a special token, which
is ordinary text here. Vocabularies are small: trained on Python's own documentation and the strings, or those of
tests/golden/unigram.
"""

import importlib
import itertools
import os
import pydoc_data.topics
import sys
import tempfile
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import harness

TESTS = Path(__file__).resolve().parent.parent / "tests"
UNIGRAM = TESTS / "golden" / "unigram"
SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<pad>", "<unk>", "<s>", "</s>", "<mask>")
CLASSES = {"albert": "AlbertTokenizer", "xlm-roberta": "XLMRobertaTokenizer", "deberta-v2": "DebertaV2Tokenizer"}

Row = dict[str, Any]


def make_strings(count: int) -> list[str]:
    """The awkward strings, and `count` random ones."""
    sys.path.insert(0, str(TESTS))
    awkward = importlib.import_module("text.awkward")
    found = [*awkward.STRINGS, *awkward.fuzzed(seed=1, count=count)]
    return [text for text in found if not any(token in text for token in SPECIALS)]


def compare(name: str, beside: str, texts: Sequence[str], ours: Any, theirs: Any) -> Row:
    """A row: how many strings have other ids, and how many the same ids at other places.

    Args:
        name: of our tokenizer.
        beside: of theirs.
        texts: the strings.
        ours: a `bert_keras.Tokenizer`.
        theirs: a tokenizer of the library `tokenizers`.
    """
    ids = places = 0
    for text in texts:
        row, encoding = ours.tokenize(text), theirs.encode(text, add_special_tokens=False)
        same = [index for _, index, _, _ in row] == encoding.ids
        ids += not same
        places += same and [(start, end) for _, _, start, end in row] != encoding.offsets
    return {"tokenizer": name, "beside": beside, "strings": len(texts), "other ids": ids, "other places": places}


def wordpiece(texts: Sequence[str], topics: Sequence[str]) -> Iterator[Row]:
    """Rows of BERT's tokenizer: of all strings, and of those without characters for which Google's rules are others."""
    import transformers

    from bert_keras.text import Tokenizer

    usual = [text for text in texts if not any(map(_is_googles, text))]
    for lowercase in (True, False):
        ours = Tokenizer.train([*topics, *texts], 3000, lowercase=lowercase)
        ids = {piece: index for index, piece in enumerate(ours.vocabulary)}
        theirs = transformers.BertTokenizer(vocab=ids, do_lower_case=lowercase)._tokenizer
        name = f"WordPiece, {'uncased' if lowercase else 'cased'}"
        yield compare(name, "BertTokenizer", texts, ours, theirs)
        yield compare(f"{name}, usual characters", "BertTokenizer", usual, ours, theirs)


def _is_googles(character: str) -> bool:
    """Whether it is private, unassigned, among the ideographs U+2B820 to U+2B91F, or a capital sigma."""
    return (
        unicodedata.category(character) in ("Co", "Cn") or 0x2B820 <= ord(character) <= 0x2B91F or character == "\u03a3"
    )


def byte_level_bpe(texts: Sequence[str], topics: Sequence[str]) -> Iterator[Row]:
    """Rows of RoBERTa's tokenizer."""
    import transformers

    from bert_keras.text import ByteLevelBpeTokenizer

    trained: Any = ByteLevelBpeTokenizer.train([*topics, *texts], 900)
    pieces, merges = trained.vocabulary, trained.merges
    ids = {piece: index for index, piece in enumerate(pieces)}
    for prefix in (False, True):
        ours = ByteLevelBpeTokenizer(pieces, merges, add_prefix_space=prefix)
        theirs = transformers.RobertaTokenizer(vocab=ids, merges=merges, add_prefix_space=prefix)._tokenizer
        yield compare(f"byte-level BPE{', space in front' * prefix}", "RobertaTokenizer", texts, ours, theirs)


def unigram(texts: Sequence[str]) -> Iterator[Row]:
    """Rows of the families with SentencePiece: from the `.model` alone, and from the folder that we save."""
    import transformers

    from bert_keras.text import Tokenizer

    for family, name in CLASSES.items():
        ours, make = Tokenizer.from_folder(UNIGRAM / family), getattr(transformers, name).from_pretrained
        yield compare(f"unigram, {family}, .model", name, texts, ours, make(UNIGRAM / family)._tokenizer)
        if family == "deberta-v2":
            yield compare(f"unigram, {family}, .model", "converter of transformers 4", texts, ours, _converted())
        with tempfile.TemporaryDirectory() as folder:
            ours.save(folder)
            theirs = transformers.AutoTokenizer.from_pretrained(folder)._tokenizer
            yield compare(f"unigram, {family}, saved", "AutoTokenizer", texts, ours, theirs)


def _converted() -> Any:
    """DeBERTa's tokenizer as transformers 4 made it of a `.model` file; the converter is still there."""
    from transformers.convert_slow_tokenizer import DebertaV2Converter

    slow = SimpleNamespace(
        vocab_file=str(UNIGRAM / "deberta-v2" / "spm.model"),
        convert_tokens_to_ids={"[CLS]": 1, "[SEP]": 2}.__getitem__,
        do_lower_case=False,
        split_by_punct=False,
        add_prefix_space=True,
        legacy=True,
    )
    return DebertaV2Converter(slow).converted()


def main() -> None:
    parser = harness.arguments("Strings that are cut otherwise than by the fast tokenizers of transformers.")
    parser.add_argument("--count", type=int, default=5000, help="random strings, beside the awkward ones")
    options = parser.parse_args()

    harness.use_threads(1)
    os.environ["TRANSFORMERS_VERBOSITY"] = "error"
    # What transformers warns of is its own.
    warnings.simplefilter("ignore")
    texts = make_strings(options.count)
    topics = list(itertools.islice(pydoc_data.topics.topics.values(), 20))
    rows = [*wordpiece(texts, topics), *byte_level_bpe(texts, topics), *unigram(texts)]
    details = {
        "reasons": "docs/tokenizers.md",
        "versions": harness.versions(["tokenizers", "transformers"]),
    }
    harness.show("Strings whose pieces or places differ from transformers'", {"strings": rows}, details, options.json)


if __name__ == "__main__":
    main()
