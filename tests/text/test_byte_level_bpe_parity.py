"""Ids and places beside transformers' fast RobertaTokenizer, on awkward and random strings."""

import itertools
import pydoc_data.topics

import pytest
from text.awkward import STRINGS, fuzzed

from bert_keras.text import ByteLevelBpeTokenizer, Tokenizer

transformers = pytest.importorskip("transformers")

# What transformers warns of is its own.
pytestmark = pytest.mark.filterwarnings("default")

# Raise it for a long search; 5,000 strings take 20 seconds.
COUNT = 300
TEXTS = [*STRINGS, *fuzzed(seed=1, count=COUNT)]


@pytest.fixture(scope="module")
def vocabulary():
    topics = list(itertools.islice(pydoc_data.topics.topics.values(), 20))
    tokenizer = Tokenizer.train([*topics, *STRINGS], 900, kind="byte-level-bpe")
    return tokenizer.vocabulary, tokenizer.merges


@pytest.fixture(scope="module", params=[False, True], ids=["bare", "prefix space"])
def both(request, vocabulary):
    pieces, merges = vocabulary
    ours = ByteLevelBpeTokenizer(pieces, merges, add_prefix_space=request.param)
    ids = {piece: index for index, piece in enumerate(pieces)}
    theirs = transformers.RobertaTokenizer(vocab=ids, merges=merges, add_prefix_space=request.param)
    return ours, theirs


def test_ids_and_places(both):
    ours, theirs = both
    expected = theirs(TEXTS, add_special_tokens=False, return_offsets_mapping=True)
    found = [ours.tokenize(text) for text in TEXTS]
    assert [[index for _, index, _, _ in row] for row in found] == expected["input_ids"]
    assert [[(start, end) for _, _, start, end in row] for row in found] == expected["offset_mapping"]


@pytest.mark.parametrize("max_length", [None, 16])
def test_rows_of_texts(both, max_length):
    ours, theirs = both
    expected = theirs(
        TEXTS, padding=True, truncation=max_length is not None, max_length=max_length, return_tensors="np"
    )
    found = ours(TEXTS, max_length=max_length)
    assert found["token_ids"].tolist() == expected["input_ids"].tolist()
    assert found["padding_mask"].tolist() == expected["attention_mask"].tolist()


def test_rows_of_pairs(both):
    ours, theirs = both
    expected = theirs(TEXTS, TEXTS[::-1], padding=True, return_tensors="np")
    found = ours(TEXTS, TEXTS[::-1])
    assert found["token_ids"].tolist() == expected["input_ids"].tolist()
    assert found["padding_mask"].tolist() == expected["attention_mask"].tolist()


@pytest.mark.parametrize(
    "options",
    [{}, {"add_prefix_space": True}, {"separators": 1}, {"separators": 1, "segments": True}],
    ids=["roberta", "prefix space", "one separator", "segments"],
)
def test_transformers_opens_saved_folders(vocabulary, options, tmp_path):
    ours = ByteLevelBpeTokenizer(*vocabulary, mask_in_text=True, model_max_length=64, **options)
    ours.save(tmp_path)
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path)
    texts = [*STRINGS, "a \t<mask>, b", "<mask>"]
    expected = theirs(texts, texts[::-1], padding=True, return_tensors="np", return_token_type_ids=True)
    found = ours(texts, texts[::-1])
    assert found["token_ids"].tolist() == expected["input_ids"].tolist()
    assert found.get("segment_ids", 0 * found["token_ids"]).tolist() == expected["token_type_ids"].tolist()
    assert (theirs.mask_token_id, theirs.pad_token_id, theirs.model_max_length) == (ours.mask_id, ours.pad_id, 64)
    assert len(theirs) == len(ours.vocabulary)


def test_places_around_masks(vocabulary, tmp_path):
    ours = ByteLevelBpeTokenizer(*vocabulary, mask_in_text=True)
    ours.save(tmp_path)
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path)
    texts = [text.replace("x", " \u2003<mask>") for text in TEXTS]
    expected = theirs(texts, add_special_tokens=False, return_offsets_mapping=True)
    found = [ours.tokenize(text) for text in texts]
    assert [[index for _, index, _, _ in row] for row in found] == expected["input_ids"]
    assert [[(start, end) for _, _, start, end in row] for row in found] == expected["offset_mapping"]
