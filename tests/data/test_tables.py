"""Tables: what is read, and one clear sentence for what cannot be."""

import pytest

from bert_keras import data
from bert_keras.errors import InputError


def test_tsv_rows_keep_order_and_line_numbers(write):
    rows = data.table(write("a.tsv", "label\ttext\n1\tgood film\n\n0\tbad film\n"))
    assert rows.texts == ["good film", "bad film"]
    assert rows.labels == ["1", "0"]
    assert list(rows.lines) == [2, 4]
    assert rows.pairs is None
    assert len(rows) == 2


def test_tsv_quotes_are_text(write):
    rows = data.table(write("a.tsv", 'text\tlabel\n"Wow" he said "no"\t1\n"Great film"\t0\n5" screen\t1\n'))
    assert rows.texts == ['"Wow" he said "no"', '"Great film"', '5" screen']


def test_tsv_one_lonely_quote_swallows_nothing(write):
    rows = data.table(write("a.tsv", 'label\ttext\n1\t"never closed\n0\tbad\n'))
    assert rows.texts == ['"never closed', "bad"]


@pytest.mark.parametrize(
    "content",
    ['"label"\t"text"\n"1"\t"he said ""hi"""\n', 'label\ttext\n1\t"he said ""hi"""\n'],
    ids=["quoted header", "doubled quotes"],
)
def test_tsv_that_clearly_quotes_is_unquoted(write, content):
    assert data.table(write("a.tsv", content)).texts == ['he said "hi"']


def test_csv_takes_commas_quotes_and_newlines_in_quotes(write):
    rows = data.table(write("a.csv", 'text,label\n"one, ""two""\nthree",1\nplain,0\n'))
    assert rows.texts == ['one, "two"\nthree', "plain"]
    assert list(rows.lines) == [2, 4]


def test_semicolons_of_a_csv_file(write):
    rows = data.table(write("a.csv", 'text;"label"\n"a; b, c";1,5\n'))
    assert (rows.texts, rows.labels) == (["a; b, c"], ["1,5"])


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_byte_order_mark_and_crlf_are_accepted(write, name):
    separator = "," if name.endswith("csv") else "\t"
    content = "\ufeff" + f"label{separator}text\r\n1{separator}good\r\n0{separator}bad\r\n"
    rows = data.table(write(name, content))
    assert (rows.texts, rows.labels) == (["good", "bad"], ["1", "0"])


def test_only_line_feeds_end_a_tsv_line(write):
    rows = data.table(write("a.tsv", "label\ttext\n1\tone\u2028two\x85three\x0cfour\n0\tx\n"))
    assert rows.texts[0] == "one\u2028two\x85three\x0cfour"


def test_json_lines(write):
    rows = data.table(write("a.jsonl", '{"text": "good", "label": 1}\n\n{"label": 0, "text": "bad\\nfilm"}\n'))
    assert (rows.texts, rows.labels, list(rows.lines)) == (["good", "bad\nfilm"], ["1", "0"], [1, 3])


def test_json_key_that_only_later_objects_have(write):
    path = write("a.jsonl", '{"text": "good"}\n{"text": "bad", "label": "b"}\n')
    assert "line 1: column 'label' is empty" in refused(path)


def test_columns_that_were_read(write):
    columns = data.table(write("a.csv", "id,sentence1,sentence2,score\n1,a,b,3.5\n")).columns
    assert (columns.text, columns.pair, columns.label) == ("sentence1", "sentence2", "score")


def test_empty_second_texts_are_counted(write):
    path = write("a.tsv", "sentence1\tsentence2\na\tb\nc\t\nd\t \n")
    with pytest.warns(UserWarning, match=r"2 of 3 rows have no second text, the first at .*line 3"):
        assert data.table(path).pairs == ["b", "", " "]


def test_empty_text_is_accepted(write):
    assert data.table(write("a.tsv", "label\ttext\n1\t\n0\tbad\n")).texts == ["", "bad"]


def test_blank_line_of_a_single_column_is_an_empty_text(write):
    rows = data.table(write("a.csv", "text\ngood\n\nbad\n"))
    assert (rows.texts, list(rows.lines)) == (["good", "", "bad"], [2, 3, 4])


def test_text_of_100000_words(write):
    text = "word " * 100_000
    assert data.table(write("a.csv", f"label,text\n1,{text}\n")).texts == [text]


@pytest.mark.parametrize(
    "header",
    ["sentence1,sentence2", "text_a,text_b", "premise,hypothesis", "question1,question2", "Question,Sentence"],
)
def test_usual_pairs_are_found(write, header):
    rows = data.table(write("a.csv", f"idx,{header},label\n0,first,second,1\n"))
    assert (rows.texts, rows.pairs, rows.labels) == (["first"], ["second"], ["1"])


@pytest.mark.parametrize("header", ["label,text", "Label,Review", "sentiment,sentence", "class,content", "label,blurb"])
def test_usual_single_texts_are_found(write, header):
    rows = data.table(write("a.csv", f"{header}\n1,good\n"))
    assert (rows.texts, rows.labels) == (["good"], ["1"])


def test_columns_by_name(write):
    path = write("a.csv", "text,title,body,stars\nx,first,second,5\n")
    rows = data.table(path, text="title", pair="body", label="stars")
    assert (rows.texts, rows.pairs, rows.labels) == (["first"], ["second"], ["5"])


@pytest.mark.parametrize("content", ["text\ngood\n", "text,label\ngood,\nbad,\n"], ids=["no column", "nothing in it"])
def test_rows_without_labels(write, content):
    assert data.table(write("a.csv", content)).labels is None


def test_labels_sort_numbers_by_value(write):
    path = write("a.csv", "label,text\n" + "".join(f"{n},x\n" for n in (10, 2, 0, 2)))
    assert data.labels(path) == ["0", "2", "10"]


def test_labels_sort_names(write):
    assert data.labels(write("a.csv", "label,text\npositive,x\nnegative,y\n")) == ["negative", "positive"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-le", "utf-32-be"])
def test_other_encodings_are_named(write, encoding):
    name = encoding[:6].upper()
    assert refused(write("a.csv", "label,text\n1,good\n".encode(encoding))).endswith(
        f"a.csv is {name}: save it as UTF-8"
    )


@pytest.mark.parametrize("source", [None, "", 3])
def test_source_that_is_none(source):
    assert f"the source of the data is {source!r}" in refused(source)


def refused(path, **columns):
    with pytest.raises(InputError) as error:
        data.table(path, **columns)
    return str(error.value)


def test_missing_file(tmp_path):
    assert refused(tmp_path / "no.tsv") == f"{tmp_path}/no.tsv: there is no such file"


def test_folder(tmp_path):
    (tmp_path / "a.tsv").mkdir()
    assert "is a folder" in refused(tmp_path / "a.tsv")


@pytest.mark.parametrize("content", ["", " \n\n", "\ufeff"])
def test_empty_file(write, content):
    assert refused(write("a.tsv", content)).endswith("a.tsv is empty")


def test_header_only(write):
    assert "a header (label, text) and no rows" in refused(write("a.tsv", "label\ttext\n"))


def test_unknown_kind_of_file(write):
    assert ".csv, .tsv" in refused(write("a.xlsx", "x"))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_bytes_that_are_not_utf8_are_located(write, mark):
    message = refused(write("a.tsv", mark + b"label\ttext\n1\tcaf\xe9\n"))
    assert "line 2, byte 6 of the line (0xe9) is not UTF-8" in message


def test_utf16_is_named(write):
    assert "is UTF-16" in refused(write("a.tsv", "label\ttext\n1\tx\n".encode("utf-16")))


@pytest.mark.parametrize(("name", "separator"), [("a.csv", ","), ("a.tsv", "\t")])
def test_ragged_row(write, name, separator):
    message = refused(write(name, f"label{separator}text\n1{separator}good\n0{separator}bad{separator}film\n"))
    assert "line 3: 3 cells where the header has 2 (label, text)" in message


def test_unclosed_quote_in_csv(write):
    assert "begins at line 3" in refused(write("a.csv", 'label,text\n1,good\n0,"bad\n1,x\n'))


def test_absent_column_lists_those_that_exist(write):
    message = refused(write("a.csv", "label,text\n1,x\n"), text="review")
    assert "no column 'review'; the columns are 'label', 'text'" in message


def test_no_header_says_what_one_looks_like(write):
    message = refused(write("a.tsv", "1\ta good film\n0\ta bad film\n"))
    assert "the columns are '1', 'a good film'" in message
    assert "header such as label, text" in message


def test_repeated_column(write):
    assert "names column 'text' 2 times" in refused(write("a.csv", "text,text,label\na,b,1\n"))


def test_one_column_for_two_roles(write):
    assert "both as text and label" in refused(write("a.csv", "text,x\na,b\n"), label="text")


def test_missing_label_names_line_and_column(write):
    message = refused(write("a.tsv", "label\ttext\n1\tgood\n \tbad\n"))
    assert "a.tsv, line 3: column 'label' is empty" in message


@pytest.mark.parametrize(
    ("line", "words"),
    [("{'text': 1}", "line 2, column 2: not JSON"), ('["x"]', "line 2: each line must be one object")],
)
def test_bad_json_is_located(write, line, words):
    assert words in refused(write("a.jsonl", '{"text": "x", "label": "a"}\n' + line + "\n"))


def test_json_object_without_its_label(write):
    assert "line 2: column 'label' is empty" in refused(
        write("a.jsonl", '{"text": "x", "label": "a"}\n{"text": "y"}\n')
    )


def test_label_that_is_an_object(write):
    assert "line 2: column 'label' holds an object" in refused(
        write("a.jsonl", '{"text": "x", "label": "a"}\n{"text": "y", "label": {"name": "b"}}\n')
    )


def test_nothing_between_labels(write):
    with pytest.raises(InputError, match="label_separator is empty"):
        data.table(write("a.tsv", "text\tlabels\nx\ta|b\n"), label_separator="")


@pytest.mark.parametrize("entry", ['{"label": "b"}', '{"text": null, "label": "b"}', '{"text": ["y"], "label": "b"}'])
def test_json_object_without_its_text(write, entry):
    message = refused(write("a.jsonl", '{"text": "x", "label": "a"}\n' + entry + "\n"))
    assert "line 2: 'text' holds no text" in message


def test_labels_of_a_file_without_any(write):
    with pytest.raises(InputError, match="has no labels"):
        data.labels(write("a.csv", "text\ngood\n"))


def test_labels_of_one_class(write):
    with pytest.raises(InputError, match="all 2 rows have the label 'a'"):
        data.labels(write("a.csv", "text,label\ngood,a\nbad,a\n"))


def test_real_sentiment_file(real):
    rows = data.table(real / "sentiment" / "train.tsv")
    assert len(rows) == 8457
    assert data.labels(real / "sentiment" / "train.tsv") == ["0", "1"]


@pytest.mark.parametrize("number", ["9" * 5000, "[" * 100_000 + "]" * 100_000])
def test_json_that_python_cannot_read_names_its_line(write, number):
    path = write("train.jsonl", f'{{"text": "a", "label": "b"}}\n{{"text": "a", "label": {number}}}\n')
    with pytest.raises(InputError, match=r"train\.jsonl, line 2: cannot be read"):
        data.table(path)


def test_half_characters_of_json_become_the_replacement_character(write):
    path = write("train.jsonl", '{"text": "cut \\ud83d here \\ud83d\\ude00", "label": "a\\udc00"}\n')
    rows = data.table(path)
    assert rows.texts == ["cut \ufffd here 😀"]
    assert rows.labels == ["a\ufffd"]


def test_labels_of_thousands_of_digits_are_names(write):
    long = "9" * 5000
    assert data.labels(write("train.tsv", f"label\ttext\n{long}\ta\n10\tb\n9\tc\n")) == ["9", "10", long]
