"""The page and the JSON file of an evaluation."""

import json
import re

import pytest
from html_elements import Elements

from bert_keras.data import Rows
from bert_keras.errors import InputError
from bert_keras.evaluation import SCORES, Evaluation, compare, report_paths, write_report
from bert_keras.evaluation.charts import lengths_chart, reliability_chart, scatter_chart
from bert_keras.evaluation.marked_text import marked_text
from bert_keras.evaluation.result import LengthBin, Mistake, Span

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


def hostile(count=12):
    """An evaluation in which every name and text of the user's is an attack."""
    known = [ATTACK, f"second {ATTACK}"]
    true = [known[row % 2] for row in range(count)]
    rows = Rows(
        f"{ATTACK}.tsv", [f"{ATTACK} " * (1 + row) for row in range(count)], [ATTACK] * count, true, range(count)
    )
    answers = [{"label": known[0], "score": 0.9, "scores": dict.fromkeys(known, 0.5)}] * count
    return SCORES["labels"](rows, answers)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    found = hostile()
    write_report(found, path, f"Title {ATTACK}", {"model": ATTACK}, compare(found, found, ATTACK))
    return path


def test_page_is_well_formed_and_nothing_of_the_users_is_markup(written):
    elements = Elements(written.read_text(encoding="utf-8")).tags
    assert not {tag for tag, _ in elements} & {"script", "img", "iframe", "link", "object"}
    assert not [name for _, attributes in elements for name in attributes if name.startswith("on")]


def test_page_needs_nothing_from_outside(written):
    text = written.read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=|https?://|url\(|@import", text.replace(ATTACK, "").replace("src=x", ""))
    assert "default-src 'none'" in text


def test_page_has_every_part(written):
    text = written.read_text(encoding="utf-8")
    for part in ("Each class", "What is taken for what", "Reliability", "Length against error", "Mistakes: all 6"):
        assert part in text


def test_page_says_date_and_versions(written):
    text = written.read_text(encoding="utf-8")
    assert re.search(r"<dt>date</dt><dd>\d{4}-\d\d-\d\d \d\d:\d\d UTC</dd>", text)
    assert re.search(r"<dt>versions</dt><dd>bert_keras \d", text)


def test_json_beside_the_page_holds_the_same(written):
    facts = json.loads(written.with_suffix(".json").read_text(encoding="utf-8"))
    assert facts["metrics"]["accuracy"] == 0.5
    assert facts["facts"]["model"] == ATTACK
    assert facts["mistakes"][0]["expected"] == f"second {ATTACK}"
    assert facts["comparison"]["agreement"] == 1
    assert "cases" not in facts


def test_report_must_end_in_html(tmp_path):
    with pytest.raises(InputError, match=r"report\.pdf: a report must end in \.html"):
        report_paths(tmp_path / "report.pdf")


def test_neither_file_is_replaced_without_force(tmp_path):
    (tmp_path / "report.json").write_text("mine")
    found = Evaluation("labels", 1, {"accuracy": 1.0})
    with pytest.raises(InputError, match=r"report\.json exists"):
        write_report(found, tmp_path / "report.html", "t", {})
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    write_report(found, tmp_path / "report.html", "t", {}, force=True)
    assert json.loads((tmp_path / "report.json").read_text())["kind"] == "labels"


def test_half_a_surrogate_pair_is_written(tmp_path):
    mistake = Mistake("cut \ud83d", "a", "b", 0.5, "x, line 1")
    found = Evaluation("labels", 1, {"accuracy": 0.0}, mistakes=[mistake], mistake_count=1)
    html, json_file = write_report(found, tmp_path / "r.html", "t", {})
    assert "cut &#55357;" in html.read_text(encoding="utf-8")
    assert json.loads(json_file.read_text(encoding="utf-8"))["mistakes"][0]["text"] == "cut \ud83d"


def test_control_characters_are_shown_as_pictures(tmp_path):
    mistake = Mistake("a\0b\x1b[31m\tc\x7f\n", "\x00", "b", 0.5, "x, line 1")
    found = Evaluation("labels", 1, {"accuracy": 0.0}, mistakes=[mistake], mistake_count=1)
    html, _ = write_report(found, tmp_path / "r.html", "t", {})
    assert "a␀b␛[31m\tc␡\n" in html.read_text(encoding="utf-8")
    assert "<bdi>␀</bdi>" in html.read_text(encoding="utf-8")


def test_undefined_values_are_null_in_json(tmp_path):
    _, json_file = write_report(Evaluation("numbers", 1, {"pearson": float("nan")}), tmp_path / "r.html", "t", {})
    assert json.loads(json_file.read_text(), parse_constant=pytest.fail)["metrics"] == {"pearson": None}


def test_page_of_long_texts_and_many_mistakes_stays_small(tmp_path):
    mistakes = [Mistake("word " * 20_000, "a", "b", 0.5, "x, line 1")] * 100
    found = Evaluation("labels", 100, {"accuracy": 0.0}, mistakes=mistakes, mistake_count=900)
    html, _ = write_report(found, tmp_path / "r.html", "t", {})
    assert html.stat().st_size < 100_000
    assert "the worst 50 of 900" in html.read_text(encoding="utf-8")


def test_spans_are_marked_by_how_they_agree():
    mistake = Mistake(
        "Ada & Bob in Rome now",
        "",
        "",
        1,
        "",
        gold=(Span(0, 3, "PER"), Span(6, 9, "PER"), Span(13, 17, "LOC")),
        found=(Span(0, 3, "PER"), Span(13, 17, "ORG"), Span(18, 21, "X")),
    )
    assert marked_text(mistake) == (
        '<mark class="right">Ada<small>PER</small></mark> &amp; <mark class="missed">Bob<small>PER</small></mark> in '
        '<mark class="both">Rome<small>LOC → ORG</small></mark> <mark class="extra">now<small>X</small></mark>'
    )


def test_overlapping_spans_are_marked_part_by_part():
    mistake = Mistake("in the 10th century", "", "", 1, "", gold=(Span(7, 19),), found=(Span(3, 11),))
    assert marked_text(mistake) == (
        'in <mark class="extra">the </mark><mark class="both">10th</mark><mark class="missed"> century</mark>'
    )


def test_long_text_is_cut_around_its_first_span():
    text = "a" * 1000 + "GOLD" + "b" * 1000
    shown = marked_text(Mistake(text, "", "", 1, "", gold=(Span(1000, 1004),)))
    assert shown == f'…{"a" * 150}<mark class="missed">GOLD</mark>{"b" * 446}…'


def test_reliability_chart_places_its_dots():
    chart = reliability_chart([{"confidence": 0.5, "accuracy": 1.0, "count": 3}])
    # Halfway between 56 and 406; at the top.
    assert '<circle class="dot" cx="231.0" cy="14.0"' in chart
    assert "3 examples: confidence 0.5, right 1" in chart


def test_lengths_chart_has_a_bar_a_bin():
    chart = lengths_chart([LengthBin(1, 4, 10, 0.2), LengthBin(5, 5, 10, 0.0)], "words", "share wrong")
    assert chart.count("<rect") == 2
    assert ">1–4<" in chart
    assert ">5<" in chart


def test_axis_has_round_numbers():
    chart = scatter_chart([(0.1, -1.08), (4.9, 6.23)])
    assert re.findall(r'text-anchor="end"[^>]*>([^<]*)<', chart) == [
        "-1", "0", "1", "2", "3", "4", "5", "6",
    ]  # fmt: skip


def test_one_dot_has_a_range():
    assert scatter_chart([(1.0, 1.0)]).count("<circle") == 1
