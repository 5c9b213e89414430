"""Ids as transformers gives them for the folders that we save, recorded by tests/golden/make_tokenizer.py."""

import json
from pathlib import Path

import numpy as np
import pytest

from bert_keras.text import Tokenizer

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "tokenizer.json").read_text())


def unpadded(arrays: dict[str, np.ndarray], name: str) -> list[list[int]]:
    return [row[: mask.sum()].tolist() for row, mask in zip(arrays[name], arrays["padding_mask"], strict=True)]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden["name"])
def test_ids_and_segments_are_those_of_transformers(golden):
    first, second = zip(*golden["pairs"], strict=True)
    arrays = Tokenizer.from_vocabulary(**golden["options"])(first, second)
    assert unpadded(arrays, "token_ids") == golden["token_ids"]
    assert unpadded(arrays, "segment_ids") == golden["segment_ids"]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden["name"])
@pytest.mark.filterwarnings("default")  # what transformers warns of is its own
def test_transformers_opens_saved_folders(golden, tmp_path):
    transformers = pytest.importorskip("transformers")
    Tokenizer.from_vocabulary(**golden["options"]).save(tmp_path)
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path)
    rows = [theirs(first, second)["input_ids"] for first, second in golden["pairs"]]
    assert rows == golden["token_ids"]


# Ids in Google's English uncased vocabulary: [CLS] 101, [SEP] 102, [MASK] 103, and the paper's own example,
# "my dog is cute [SEP] he likes play ##ing" (figure 2), whose last word the released vocabulary has whole.
def test_real_vocabulary(real):
    tokenizer = Tokenizer.from_folder(real / "minilm")
    arrays = tokenizer(["my dog is cute"], ["he likes playing"])
    assert arrays["token_ids"].tolist() == [[101, 2026, 3899, 2003, 10140, 102, 2002, 7777, 2652, 102]]
    assert arrays["segment_ids"].tolist() == [[0, 0, 0, 0, 0, 0, 1, 1, 1, 1]]
    assert (tokenizer.pad_id, tokenizer.unk_id, tokenizer.mask_id) == (0, 100, 103)
    assert len(tokenizer.vocabulary) == 30522
    assert tokenizer.model_max_length == 512


def test_real_folder_with_tokenizer_json_alone(real):
    assert Tokenizer.from_folder(real / "splade-tiny").vocabulary == Tokenizer.from_folder(real / "minilm").vocabulary
