"""Sentences with a tag for each word, from every layout that they are kept in."""

import json

import pytest

from bert_keras import data
from bert_keras.errors import InputError

# The form of CoNLL-2003, whose third column also holds IOB tags.
CONLL_2003 = """-DOCSTART- -X- -X- O

EU NNP I-NP B-ORG
rejects VBZ I-VP O
German JJ I-NP B-MISC
call NN I-NP O

-DOCSTART- -X- O O

Peter NNP I-NP B-PER
Blackburn NNP I-NP I-PER
"""


def lines(*objects):
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in objects)


def refused(path, **columns):
    with pytest.raises(InputError) as error:
        data.tagged(path, **columns)
    return str(error.value)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_words_and_the_last_tags_of_conll(write, end):
    found = data.tagged(write("a.conll", CONLL_2003.replace("\n", end)))
    assert found.words == [["EU", "rejects", "German", "call"], ["Peter", "Blackburn"]]
    assert found.tags == [["B-ORG", "O", "B-MISC", "O"], ["B-PER", "I-PER"]]
    assert found.texts == found.words
    assert (found.pairs, found.originals, found.plain, len(found)) == (None, None, False, 2)


def test_places_of_conll(write):
    found = data.tagged(write("a.conll", CONLL_2003))
    assert found.where(1).endswith("a.conll, line 10")
    assert found.where(1, 1).endswith("a.conll, line 11")


def test_bounds_of_words_that_spaces_join(write):
    found = data.tagged(write("a.conll", CONLL_2003))
    text = "EU rejects German call"
    assert [text[start:end] for start, end in found.bounds[0]] == found.words[0]


def test_column_of_the_tags_by_number(write):
    # IOB1: in it B- stands only between two entities of one type.
    found = data.tagged(write("a.conll", CONLL_2003), tags=2)
    assert found.tags == [["B-NP", "B-VP", "B-NP", "I-NP"], ["B-NP", "I-NP"]]
    assert data.tagged(write("a.conll", CONLL_2003), tags=-3).tags[1] == ["NNP", "NNP"]


@pytest.mark.parametrize(
    "content",
    ["B-PER Peter NNP\nO sleeps VBZ\n", "1 Peter B-PER\n2 sleeps O\n", "Peter\tNNP\tB-PER\t_\nsleeps\tVBZ\tO\t_\n"],
    ids=["tags first", "counted words", "tags in the middle"],
)
def test_any_order_of_columns(write, content):
    found = data.tagged(write("a.txt", content))
    assert (found.words, found.tags) == ([["Peter", "sleeps"]], [["B-PER", "O"]])


@pytest.mark.parametrize(
    ("scheme", "tags"),
    [
        ("IOB1", "I-X I-X B-X O I-Y"),
        ("IOB2", "B-X I-X B-X O B-Y"),
        ("BIOES", "B-X E-X S-X O S-Y"),
        ("BILOU", "B-X L-X U-X O U-Y"),
    ],
)
def test_schemes_become_iob2(write, scheme, tags):
    path = write("a.bio", "".join(f"w {tag}\n" for tag in tags.split()))
    for asked in (None, scheme):
        assert data.tagged(path, scheme=asked).tags == [["B-X", "I-X", "B-X", "O", "B-Y"]]


def test_parts_of_speech_stay_as_they_are(write):
    found = data.tagged(write("a.tsv", "word\tpos\nI\tPRON\nam\tVERB\n\nO\tPRON\n"))
    assert (found.words, found.tags) == ([["I", "am"], ["O"]], [["PRON", "VERB"], ["PRON"]])
    assert found.plain
    assert found.labels() == ["PRON", "VERB"]


def test_conllu_takes_forms_and_universal_tags(write):
    row = "{}\t{}\t_\t{}\t_\t_\t0\t_\t_\t_\n"
    rows = [("1-2", "du", "_"), ("1", "de", "ADP"), ("2", "le", "DET"), ("2.1", "", "_"), ("3", "chat", "NOUN")]
    found = data.tagged(write("a.conllu", "# text = du chat\n" + "".join(row.format(*cells) for cells in rows)))
    assert (found.words, found.tags) == ([["de", "le", "chat"]], [["ADP", "DET", "NOUN"]])
    assert found.where(0, 2).endswith("line 6")


def test_comments_and_words_that_begin_with_a_number_sign(write):
    content = "# id 5-a domain = x y\n# NN O\n#tag NN B-X\n\n#begin document\n# = O\n"
    assert data.tagged(write("a.conll", content)).words == [["#", "#tag"], ["#"]]


def test_words_with_spaces_between_tabs(write):
    assert data.tagged(write("a.tsv", "New York\tB-LOC\nlives\tO\n")).words == [["New York", "lives"]]


def test_white_space_that_is_no_space_stays_in_a_word(write):
    assert data.tagged(write("a.txt", "New\xa0York B-LOC\n\u3000 O\n")).words == [["New\xa0York", "\u3000"]]


def test_words_alone_have_no_tags(write):
    found = data.tagged(write("a.txt", "Peter\nsleeps\n\nWhy\n"))
    assert (found.words, found.tags) == ([["Peter", "sleeps"], ["Why"]], None)
    with pytest.raises(InputError, match="has no tags"):
        found.labels()


def test_labels_hold_both_tags_of_each_type(write):
    found = data.tagged(write("a.txt", "a B-PER\nb O\nc B-LOC\n"))
    assert found.labels() == ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]
    assert data.tagged(write("b.txt", "a B\nb I\nc O\n")).labels() == ["O", "B", "I"]


def test_wrong_tag_names_its_line(write):
    assert "a.txt, line 4: 'I-LOC' follows 'O'" in refused(write("a.txt", "a B-X\n\nb O\nc I-LOC\n"), scheme="IOB2")
    assert "a.txt, line 3: the tag 'PER' is no tag of an entity" in refused(write("a.txt", "a B-X\n\nb PER\n"))


def test_line_without_its_tag(write):
    message = refused(write("a.txt", "Peter B-PER\nsleeps\n"))
    assert "a.txt, line 2: 1 column, where line 1 has 2" in message


def test_column_that_is_not_there(write):
    assert "tags=4, but the columns are numbered 0 to 1" in refused(write("a.txt", "a O\n"), tags=4)
    assert "column 0 cannot hold both" in refused(write("a.txt", "a O\n"), words=0, tags=-2)


@pytest.mark.parametrize(
    "spans",
    [
        [{"start": 3, "end": 8, "label": "PER"}, {"start": 13, "end": 15, "label": "LOC", "token_start": 4}],
        [[13, 15, "LOC"], [3, 8, "PER"]],
        [{"start_offset": 3, "end_offset": 8, "label": "PER"}, {"start_offset": 13, "end_offset": 15, "label": "LOC"}],
    ],
    ids=["Prodigy", "doccano", "doccano's relations"],
)
@pytest.mark.parametrize("key", ["spans", "entities", "labels", "label", "ents"])
def test_spans_of_a_text(write, key, spans):
    # The emoji is one code point, the offset of JavaScript would be 14.
    text = "🙂: Smith, of\t東京."
    tokens = [{"text": "a tool's own", "start": 0, "end": 12, "id": 0}]
    found = data.tagged(write("a.jsonl", lines({"text": text, key: spans, "tokens": tokens}, {"text": "x", key: []})))
    assert found.words == [["🙂", ":", "Smith", ",", "of", "東", "京", "."], ["x"]]
    assert found.tags == [["O", "O", "B-PER", "O", "O", "B-LOC", "I-LOC", "O"], ["O"]]
    assert found.originals == found.texts == [text, "x"]
    assert [text[start:end] for start, end in found.bounds[0]] == found.words[0]
    assert found.where(0, 2).endswith("a.jsonl, line 1, word 3")


def test_spans_that_cut_words_take_them_whole(write):
    path = write(
        "a.jsonl", lines({"text": "a", "spans": []}, {"text": "10mg of it", "spans": [[0, 2, "N"], [8, 9, "X"]]})
    )
    with pytest.warns(UserWarning, match=r"2 cut a word.* the first at .*line 2"):
        assert data.tagged(path).tags == [["O"], ["B-N", "O", "B-X"]]


def test_span_whose_word_another_has_is_lost_with_a_warning(write):
    path = write("a.jsonl", lines({"text": "10mg of it", "spans": [[0, 2, "N"], [2, 4, "U"]]}))
    with pytest.warns(UserWarning) as warnings:
        assert data.tagged(path).tags == [["B-N", "O", "O"]]
    assert "1 hold no word that no other span has" in str(warnings[1].message)


def test_spans_next_to_each_other_are_two_entities(write):
    path = write("a.jsonl", lines({"text": "Ann Bob", "spans": [[0, 3, "P"], [4, 7, "P"]]}))
    assert data.tagged(path).tags == [["B-P", "B-P"]]


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([[0, 5, "A"], [4, 7, "B"]], "overlap"),
        ([[0, 8, "A"]], "not within the text's 7 characters"),
        ([[3, 3, "A"]], "or is empty"),
        ([[3, 4, "A"]], "holds no word"),
        ([[0, 3]], "neither {start, end, label} nor"),
        ([["0", 3, "A"]], "whole numbers"),
        (None, "the empty list []"),
    ],
)
def test_wrong_spans_name_their_line(write, spans, message):
    found = refused(write("a.jsonl", lines({"text": "x", "spans": []}, {"text": "Ann Bob", "spans": spans})))
    assert "a.jsonl, line 2" in found
    assert message in found


@pytest.mark.parametrize("names", [("tokens", "ner_tags"), ("words", "tags"), ("tokens", "labels")])
def test_lists_of_words_and_tags(write, names):
    rows = [dict(zip(names, (["Ann", 2014], ["S-PER", "O"]), strict=True)), dict(zip(names, ([], []), strict=True))]
    found = data.tagged(write("a.jsonl", lines(*rows, {**rows[0], "text": "Ann 2014"})))
    assert found.words == [["Ann", "2014"], [], ["Ann", "2014"]]
    assert found.tags == [["B-PER", "O"], [], ["B-PER", "O"]]


def test_columns_by_name(write):
    path = write("a.jsonl", lines({"tokens": ["a"], "tags": ["O"], "w": ["b"], "t": ["B-X"]}))
    found = data.tagged(path, words="w", tags="t")
    assert (found.words, found.tags) == ([["b"]], [["B-X"]])


def test_text_without_spans_has_words_and_no_tags(write):
    found = data.tagged(write("a.jsonl", lines({"text": "It's me."})))
    assert (found.words, found.tags) == ([["It's", "me", "."]], None)


def test_as_many_tags_as_words(write):
    message = refused(write("a.jsonl", lines({"tokens": ["a", "b"], "tags": ["O"]})))
    assert "line 1: 2 words in 'tokens', but 1 tags in 'tags'" in message


def test_tags_that_are_numbers(write):
    assert "'ner_tags' holds numbers" in refused(write("a.jsonl", lines({"tokens": ["a"], "ner_tags": [3]})))


def test_table_holds_no_tagged_words(write):
    assert "a table has a text a row" in refused(write("a.csv", "word,tag\na,O\n"))


def test_table_of_texts_divided_by_tabs(write):
    assert "a.tsv: most lines hold a text of several words" in refused(
        write("a.tsv", "text\tlabel\na good film\tgood\na bad film\tbad\n")
    )


@pytest.mark.parametrize("content", ["a O\nb O\n", "a .\nb .\n"], ids=["of entities", "plain"])
def test_one_tag_has_nothing_to_learn(write, content):
    with pytest.raises(InputError, match=r"all words have the tag '[O.]'"):
        data.tagged(write("a.txt", content)).labels()


def test_one_type_of_entity_is_enough(write):
    assert data.tagged(write("a.txt", "a B-X\nb B-X\n")).labels() == ["O", "B-X", "I-X"]
