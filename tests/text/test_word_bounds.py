"""The words of a text."""

import pytest

from bert_keras.text.word_bounds import word_bounds


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in word_bounds(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Angela Merkel lives in Berlin.", ["Angela", "Merkel", "lives", "in", "Berlin", "."]),
        ("(the U.S., well-known)", ["(", "the", "U.S", ".", ",", "well-known", ")"]),
        ("It's O'Neill's...", ["It's", "O'Neill's", ".", ".", "."]),
        ("$100, 3.5%!?", ["$", "100", ",", "3.5", "%", "!", "?"]),
        ("--", ["-", "-"]),
        ("我在北京2020,好。", ["我", "在", "北", "京", "2020", ",", "好", "。"]),
        ("\u201cMünchen\u201d", ["\u201c", "München", "\u201d"]),
        ("cafe\u0301, x", ["cafe\u0301", ",", "x"]),
        ("\U0001f468\u200d\U0001f469 ok", ["\U0001f468\u200d\U0001f469", "ok"]),
        ("a\u3000b\xa0c\u2028d\x85e", ["a", "b", "c", "d", "e"]),
        ("", []),
        (" \t\r\n ", []),
    ],
)
def test_words_of_a_text(text, expected):
    assert words(text) == expected


def test_runs_of_white_space_do_not_move_a_word():
    # FARM#549: joined by single spaces again, `C` would be at 4.
    assert word_bounds("A  B\r\n\tC") == [(0, 1), (3, 4), (7, 8)]


def test_what_tokenizers_drop_is_no_word_and_in_none_at_the_ends():
    assert word_bounds("\ufeffHi\u200b \u200b \x00 (\u200eyes\u200f)") == [(1, 3), (9, 10), (11, 14), (15, 16)]


def test_what_tokenizers_drop_stays_within_a_word():
    assert words("soft\xadhyphen a\x00b") == ["soft\xadhyphen", "a\x00b"]
