"""Long texts become passages that the model reads whole, and nothing is lost."""

import pytest
import tiny_text
from text.awkward import STRINGS, fuzzed

from bert_keras.errors import InputError
from bert_keras.search.passages import passages
from bert_keras.text import Tokenizer

ROOM = 10


@pytest.fixture(scope="module")
def tokenizer():
    return tiny_text.tokenizer()


@pytest.fixture(scope="module")
def byte_level():
    return Tokenizer.train(["a film with café and 東京 " * 3], 280, kind="byte-level-bpe")


def cut(tokenizer, text, max_length=ROOM + 2):
    [found] = passages(tokenizer, [text], max_length)
    return found


def without_space(text):
    return "".join(text.split())


@pytest.mark.parametrize("text", ["", "the film", " good " * ROOM, "a\n\nb"])
def test_a_text_that_fits_is_left_as_it_is(tokenizer, text):
    assert cut(tokenizer, text) == [text]


def test_paragraphs_are_kept_together(tokenizer):
    text = "the film was good . good\n\nbad\n\n \n" + "good was the film . bad"
    assert cut(tokenizer, text) == ["the film was good . good\n\nbad", "good was the film . bad"]


def test_sentences_are_kept_together_in_a_long_paragraph(tokenizer):
    text = "the film was good good . the film was bad . the film was good ."
    assert cut(tokenizer, text) == ["the film was good good .", "the film was bad . the film was good ."]


def test_a_sentence_without_end_is_cut_between_words(tokenizer):
    assert cut(tokenizer, "films " * 12) == [" ".join(["films"] * count) for count in (5, 5, 2)]


def test_text_without_white_space_is_cut_between_pieces(tokenizer):
    assert cut(tokenizer, "東京" * 13) == ["東京" * 5, "東京" * 5, "東京" * 3]


def test_sentences_of_languages_without_spaces_are_kept(tokenizer):
    assert cut(tokenizer, "東京東京東京。東京東京") == ["東京東京東京。", "東京東京"]


@pytest.mark.parametrize("text", [*STRINGS, *fuzzed(seed=5, count=40)])
def test_nothing_is_lost_and_every_passage_fits(tokenizer, byte_level, text):
    text = text * 4
    for each in (tokenizer, byte_level):
        found = cut(each, text)
        assert without_space("".join(found)) == without_space(text)
        assert max(map(len, each.ids(found))) <= ROOM


def test_there_must_be_room_for_a_piece(tokenizer):
    with pytest.raises(InputError, match="max_length is 2: a passage needs 3"):
        cut(tokenizer, "a", 2)
