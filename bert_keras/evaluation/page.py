"""The report as one HTML page that needs nothing else: styles and pictures are in it, scripts are not."""

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from bert_keras.evaluation.charts import lengths_chart, reliability_chart, scatter_chart
from bert_keras.evaluation.comparison import Comparison
from bert_keras.evaluation.marked_text import LEGEND, cut, marked_text
from bert_keras.evaluation.result import Evaluation, Mistake
from bert_keras.evaluation.summaries import class_rows, confused
from bert_keras.evaluation.wording import count, interval, metric_name, number, short

_MOST_MISTAKES = 50
_MOST_CLASSES = 200
# A wider matrix fits no screen: the page lists the most frequent confusions instead.
_WIDEST_MATRIX = 24
# More names stand upright over their columns.
_MANY_LABELS = 5
_STRONGEST_SHADE = 0.65


def page(evaluation: Evaluation, title: str, facts: Mapping[str, Any], comparison: Comparison | None = None) -> str:
    """The whole page.

    Args:
        evaluation: what to show.
        title: of the page.
        facts: what was scored with what, name → value.
        comparison: with another model, if there is one.
    """
    sections = [
        _facts(facts),
        _notes(evaluation.notes),
        _metrics(evaluation),
        _comparison(comparison) if comparison else "",
        _classes(evaluation),
        _confusion(evaluation),
        _charts(evaluation),
        _mistakes(evaluation),
    ]
    style = (files("bert_keras.resources") / "report.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Even if a text were not escaped, nothing in it could run or load.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        + "\n".join(filter(None, sections))
        + "\n</body>\n</html>\n"
    )


def _facts(facts: Mapping[str, Any]) -> str:
    rows = (f"<dt>{escape(str(name))}</dt><dd>{escape(str(value))}</dd>" for name, value in facts.items())
    return f'<dl class="facts">{"".join(rows)}</dl>'


def _notes(notes: Sequence[str]) -> str:
    return f'<ul class="notes">{"".join(f"<li>{escape(note)}</li>" for note in notes)}</ul>' if notes else ""


def _metrics(evaluation: Evaluation) -> str:
    cards = []
    for name, value in evaluation.metrics.items():
        ends = evaluation.intervals.get(name)
        range_ = f'<span class="soft">95 %: {interval(*ends)}</span>' if ends else ""
        cards.append(f'<div class="card">{escape(metric_name(name))}<b>{number(value)}</b>{range_}</div>')
    return (
        f'<div class="cards">{"".join(cards)}</div><p class="soft">{count(evaluation.examples, "example")}; the '
        "intervals hold 95 % of the values over resampled examples (bootstrap).</p>"
    )


def _comparison(comparison: Comparison) -> str:
    rows = [
        [metric_name(name), number(one), number(other), number(one - other), interval(*comparison.intervals[name])]
        for name, (one, other) in comparison.metrics.items()
    ]
    header = ["metric", "this model", "the other", "difference", "95 % interval of the difference"]
    # The first sentence is the table's first row.
    notes = "".join(f"<p>{escape(line)}</p>" for line in comparison.sentences()[1:])
    return f"<h2>Against {escape(comparison.other)}</h2>{notes}{_table(header, rows)}"


def _classes(evaluation: Evaluation) -> str:
    if not evaluation.classes:
        return ""
    header, rows = class_rows(evaluation)
    more = len(rows) - _MOST_CLASSES
    note = f"{more} more are in the JSON file." if more > 0 else ""
    return f"<h2>Each class</h2>{_table(header, rows[:_MOST_CLASSES], note)}"


def _confusion(evaluation: Evaluation) -> str:
    if evaluation.confusion is None:
        return ""
    labels, matrix = evaluation.confusion["labels"], evaluation.confusion["matrix"]
    if len(labels) > _WIDEST_MATRIX:
        table = _table(["right label", "the model's", "examples"], confused(evaluation), style="words")
        return f"<h2>What is taken for what</h2>{table}"
    head = "".join(f'<th scope="col"><span>{escape(name)}</span></th>' for name in labels)
    rows = []
    for row, (name, counts) in enumerate(zip(labels, matrix, strict=True)):
        whole = sum(counts) or 1
        cells = (_shaded(times, times / whole, column == row) for column, times in enumerate(counts))
        rows.append(f'<tr><th scope="row">{escape(name)}</th>{"".join(cells)}</tr>')
    style = "confusion many" if len(labels) > _MANY_LABELS else "confusion"
    return (
        f'<h2>What is taken for what</h2><div class="wide"><table class="{style}"><caption>Row: the right label. '
        "Column: the model's. The shade is the share of the row.</caption>"
        f"<thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _shaded(value: int, share: float, right: bool) -> str:
    colour = "good" if right else "bad"
    return f'<td style="--c: var(--{colour}); --a: {share * _STRONGEST_SHADE:.2f}">{count(value)}</td>'


def _charts(evaluation: Evaluation) -> str:
    figures = []
    if evaluation.scatter:
        caption = "Each dot is an example."
        if len(evaluation.scatter) < evaluation.examples:
            caption = f"Each dot is one of {count(len(evaluation.scatter), 'example')}, evenly taken."
        figures.append(("Right and predicted values", scatter_chart(evaluation.scatter), caption))
    if evaluation.reliability:
        caption = (
            "On the dashed line confidence is what it says; below it the model is too sure. Larger dot: more examples."
        )
        figures.append(("Reliability", reliability_chart(evaluation.reliability), caption))
    # One bar says nothing of lengths.
    if len(evaluation.lengths) > 1:
        chart = lengths_chart(evaluation.lengths, evaluation.length_unit, evaluation.error)
        figures.append(("Length against error", chart, _counts(evaluation)))
    shown = (
        f"<figure><h3>{escape(name)}</h3>{chart}<figcaption>{escape(caption)}</figcaption></figure>"
        for name, chart, caption in figures
    )
    return f'<h2>Where it errs</h2><div class="charts">{"".join(shown)}</div>' if figures else ""


def _counts(evaluation: Evaluation) -> str:
    counts = [each.count for each in evaluation.lengths]
    if min(counts) == max(counts):
        return f"{count(counts[0], 'example')} in each bar."
    return f"{count(min(counts))} to {count(max(counts), 'example')} in each bar."


def _mistakes(evaluation: Evaluation) -> str:
    shown = evaluation.mistakes[:_MOST_MISTAKES]
    if not shown:
        return ""
    heading = f"Mistakes: the worst {len(shown)} of {count(evaluation.mistake_count)}"
    if len(shown) == evaluation.mistake_count:
        heading = f"Mistakes: all {len(shown)}, the worst first"
    legend = LEGEND if any(mistake.gold or mistake.found for mistake in shown) else ""
    return f"<h2>{heading}</h2>{legend}" + "".join(_mistake(each, evaluation.mistake_score) for each in shown)


def _mistake(mistake: Mistake, score_name: str) -> str:
    pair = f'<p class="text pair" dir="auto">{cut(mistake.pair)}</p>' if mistake.pair is not None else ""
    return (
        f'<article><p class="text" dir="auto">{marked_text(mistake)}</p>{pair}<div class="answers">'
        f"<span>expected <span><bdi>{cut(mistake.expected)}</bdi></span></span>"
        f"<span>predicted <span><bdi>{cut(mistake.predicted)}</bdi></span></span>"
        f'<span class="soft">{escape(score_name)} {short(mistake.score)}</span>'
        f'<span class="soft">{escape(mistake.where)}</span></div></article>'
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], note: str = "", style: str = "") -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    caption = f"<caption>{escape(note)}</caption>" if note else ""
    return (
        f'<div class="wide"><table class="{style}">{caption}<thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
