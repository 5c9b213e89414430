"""Makes unigram/: SentencePiece models of each family's layout, and what others make of texts with them.

Run with sentencepiece and transformers installed: python tests/golden/make_unigram.py

The models are trained on the text below, with rules about characters that are a few of NFKC's and compiled by
sentencepiece. `ids` and `offsets` are those of transformers' fast tokenizers; for DeBERTa, whose class in transformers
5 passes the model's rules about characters over, those of its converter. `sentencepiece` are the ids that
sentencepiece itself gives, where the family changes texts as it does.
"""

import json
import tempfile
from pathlib import Path
from types import SimpleNamespace

import sentencepiece
import transformers
from transformers.convert_slow_tokenizer import DebertaV2Converter, import_protobuf

HERE = Path(__file__).parent / "unigram"

TEXT = """\
The film was good, and the music was great: a naïve café story about a dog that likes playing in the park.
I love the café, he said. They don't like 1,990 or 2,000 dogs; it's (very) "good" to play at 9, 10 and 11.
The director's first film is better than the second, but the third one is the best of all three films.
My dog is cute, he likes playing. Is the story any good? No! It is a terrible, terrible film, and a bad one.
日本語の文 東京は日本の都市です。 한국어 문장 Привет мир, это фильм.
Über die Brücke gehen, GROSSE FILME sehen; fine, finer, finest: 1 2 3 4 5 6 7 8 9 0.
"""

# Code points of one text, then of the other.
CHARACTERS = {
    "ﬁ": "fi",
    "Ａ": "A",
    "①": "1",
    "½": "1⁄2",
    "…": "...",
    "\u00a0": " ",
    "\u3000": " ",
    "\t": " ",
    "\n": " ",
    "\u200b": "",
    "e\u0301": "é",
    "か\u3099": "が",
    "ㅎㅏㄴ": "한",
}

PAIRS = [
    ("The film is good!", "A great film."),
    ("Café naïve", "cafe\u0301 naive"),
    ("don't stop; it's (very) good...", "``quotes'' ''x''"),
    ("ﬁne ﬁlm Ａ① ½…", "か\u3099が ㅎㅏㄴ 東京は"),
    ("", "word"),
    ("   spaced \t\n out\u00a0text\u3000here ", " a"),
    ("9, 10 and 1,990,", "12,"),
    ("日本語の都市 한국어", "Привет ΑΒΓ"),
    ("😀good 😀 good", "a\x00b a\u200bb"),
    ("▁ a ▁▁b", "a▁b"),
    ("GROSSE Straße İ", "TERRIBLE"),
    ("playing" * 8, "xyzzy " * 5),
]

COMMON = {"vocab_size": 260, "model_type": "unigram", "num_threads": 1, "minloglevel": 2, "hard_vocab_limit": False}
MODELS = {
    "albert": {"pad_id": 0, "unk_id": 1, "bos_id": -1, "eos_id": -1, "control_symbols": ["[CLS]", "[SEP]", "[MASK]"]},
    "xlm-roberta": {},
    "deberta-v2": {
        "pad_id": 0,
        "bos_id": 1,
        "eos_id": 2,
        "unk_id": 3,
        "pad_piece": "[PAD]",
        "bos_piece": "[CLS]",
        "eos_piece": "[SEP]",
        "unk_piece": "[UNK]",
    },
}
FILES = {"albert": "spiece.model", "xlm-roberta": "sentencepiece.bpe.model", "deberta-v2": "spm.model"}
CLASSES = {"albert": transformers.AlbertTokenizer, "xlm-roberta": transformers.XLMRobertaTokenizer}


def train(family: str, folder: Path) -> Path:
    rules = folder / "rules.tsv"
    rows = (f"{_code_points(text)}\t{_code_points(other)}" for text, other in CHARACTERS.items())
    rules.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    (folder / "text.txt").write_text(TEXT, encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(folder / "text.txt"),
        model_prefix=str(folder / family),
        normalization_rule_tsv=str(rules),
        **COMMON,
        **MODELS[family],
    )
    return folder / f"{family}.model"


def _code_points(text: str) -> str:
    return " ".join(f"{ord(character):x}" for character in text)


def library_tokenizer(family: str, file: Path):
    if family in CLASSES:
        return CLASSES[family].from_pretrained(file.parent)._tokenizer
    ids = {"[CLS]": 1, "[SEP]": 2}
    options = {"do_lower_case": False, "split_by_punct": False, "add_prefix_space": True, "legacy": True}
    slow = SimpleNamespace(vocab_file=str(file), convert_tokens_to_ids=ids.__getitem__, **options)
    return DebertaV2Converter(slow).converted()


def main() -> None:
    golden = {}
    for family, name in FILES.items():
        file = HERE / family / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            file.write_bytes(_without_paths(train(family, Path(folder)).read_bytes()))
        theirs = library_tokenizer(family, file)
        processor = sentencepiece.SentencePieceProcessor(model_file=str(file))
        texts = [text for pair in PAIRS for text in pair]
        single = [theirs.encode(text, add_special_tokens=False) for text in texts]
        pairs = [theirs.encode(*pair) for pair in PAIRS]
        golden[family] = {
            "texts": texts,
            "ids": [row.ids for row in single],
            "offsets": [row.offsets for row in single],
            "pairs": PAIRS,
            "pair_ids": [row.ids for row in pairs],
            "pair_segments": [row.type_ids for row in pairs],
        }
        if family != "albert":
            golden[family]["sentencepiece"] = [processor.encode(text) for text in texts]
    (HERE / "golden.json").write_text(json.dumps(golden) + "\n", encoding="utf-8")


def _without_paths(content: bytes) -> bytes:
    """Return a model without the names of the files that it was made from."""
    model = import_protobuf().ModelProto.FromString(content)
    model.trainer_spec.ClearField("input")
    model.trainer_spec.ClearField("model_prefix")
    model.normalizer_spec.ClearField("normalization_rule_tsv")
    return model.SerializeToString()


if __name__ == "__main__":
    main()
