"""The report's pictures as SVG: plain shapes that take their colours from the page."""

import math
from collections.abc import Mapping, Sequence
from html import escape

from bert_keras.evaluation.result import LengthBin
from bert_keras.evaluation.wording import count, tick

_WIDTH, _HEIGHT = 420, 300
# Room for the numbers of the axes: left, top, right, bottom.
_LEFT, _TOP, _RIGHT, _BOTTOM = 56, 14, 14, 46
_FEWEST_STEPS = 4
_ROUNDING = 1e-9
_SMALLEST_DOT, _GREATEST_DOT = 3, 11


class _Plot:
    """Maps values to places, and gathers the shapes.

    Args:
        x, y: the least and the greatest value of each axis.
        x_title, y_title: what the axes show.
        label: what a screen reader says for the picture.
    """

    def __init__(
        self, x: tuple[float, float], y: tuple[float, float], x_title: str, y_title: str, label: str, ticks: bool = True
    ):
        self.x_range, self.y_range = x, y
        self.shapes: list[str] = []
        self.titles = (x_title, y_title, label)
        for value in _ticks(*y):
            self.line((x[0], value), (x[1], value), "grid")
            self.text((x[0], value), tick(value), "end", dx=-6, dy=4)
        for value in _ticks(*x) if ticks else ():
            self.text((value, y[0]), tick(value), "middle", dy=16)

    def place(self, point: tuple[float, float]) -> tuple[float, float]:
        """Where a point of the two axes is, in the units of the picture."""
        (x_low, x_high), (y_low, y_high) = self.x_range, self.y_range
        across = (point[0] - x_low) / (x_high - x_low)
        up = (point[1] - y_low) / (y_high - y_low)
        return (
            round(_LEFT + across * (_WIDTH - _LEFT - _RIGHT), 1),
            round(_HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM), 1),
        )

    def line(self, start: tuple[float, float], end: tuple[float, float], style: str) -> None:
        (x1, y1), (x2, y2) = self.place(start), self.place(end)
        self.shapes.append(f'<line class="{style}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')

    def path(self, points: Sequence[tuple[float, float]], style: str) -> None:
        places = " ".join(f"{x},{y}" for x, y in map(self.place, points))
        self.shapes.append(f'<polyline class="{style}" points="{places}"/>')

    def dot(self, point: tuple[float, float], radius: float, style: str, title: str = "") -> None:
        x, y = self.place(point)
        hint = f"<title>{escape(title)}</title>" if title else ""
        self.shapes.append(f'<circle class="{style}" cx="{x}" cy="{y}" r="{round(radius, 1)}">{hint}</circle>')

    def bar(self, left: float, right: float, height: float, style: str, title: str) -> None:
        (x1, y1), (x2, y2) = self.place((left, height)), self.place((right, self.y_range[0]))
        size = f'width="{round(x2 - x1, 1)}" height="{round(y2 - y1, 1)}"'
        hint = f"<title>{escape(title)}</title>"
        self.shapes.append(f'<rect class="{style}" x="{x1}" y="{y1}" {size}>{hint}</rect>')

    def text(self, point: tuple[float, float], words: str, anchor: str, dx: float = 0, dy: float = 0) -> None:
        x, y = self.place(point)
        place = f'x="{round(x + dx, 1)}" y="{round(y + dy, 1)}"'
        self.shapes.append(f'<text text-anchor="{anchor}" {place}>{escape(words)}</text>')

    def svg(self) -> str:
        x_title, y_title, label = map(escape, self.titles)
        middle = (_TOP + _HEIGHT - _BOTTOM) / 2
        return (
            f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">{"".join(self.shapes)}'
            f'<text class="title" text-anchor="middle" x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}">'
            f'{x_title}</text><text class="title" text-anchor="middle" transform="translate(14 {middle}) rotate(-90)">'
            f"{y_title}</text></svg>"
        )


def reliability_chart(bins: Sequence[Mapping[str, float]]) -> str:
    """Share right against confidence: on the diagonal the confidences are true.

    Args:
        bins: one or more.
    """
    plot = _Plot((0, 1), (0, 1), "confidence", "share right", "Reliability: share right against confidence")
    plot.line((0, 0), (1, 1), "ideal")
    most = max(each["count"] for each in bins)
    plot.path([(each["confidence"], each["accuracy"]) for each in bins], "curve")
    for each in bins:
        right = f"confidence {tick(each['confidence'])}, right {tick(each['accuracy'])}"
        title = f"{count(each['count'], 'example')}: {right}"
        # The area says how many.
        plot.dot((each["confidence"], each["accuracy"]), _radius(each["count"] / most), "dot", title)
    return plot.svg()


def lengths_chart(bins: Sequence[LengthBin], unit: str, error: str) -> str:
    """Mean error of short and long texts.

    Args:
        bins: one or more, the shortest first.
        unit: what lengths count.
        error: what the error is.
    """
    top = _round_up(max(each.error for each in bins))
    title = f"Error ({error}) against length in {unit}"
    plot = _Plot((0, len(bins)), (0, top), f"length in {unit}", error, title, ticks=False)
    for place, each in enumerate(bins):
        name = str(each.shortest) if each.shortest == each.longest else f"{each.shortest}–{each.longest}"
        plot.bar(
            place + 0.1,
            place + 0.9,
            each.error,
            "bar",
            f"{name} {unit}, {count(each.count, 'example')}: {each.error:.4g}",
        )
        plot.text((place + 0.5, 0), name, "middle", dy=16)
        plot.text((place + 0.5, each.error), tick(each.error), "middle", dy=-4)
    return plot.svg()


def scatter_chart(points: Sequence[tuple[float, float]]) -> str:
    """The model's value against the right one.

    Args:
        points: (right, the model's), one or more.
    """
    right, given = zip(*points, strict=True)
    plot = _Plot(
        _wide(right), _wide(given), "right value", "model's value", "The model's values against the right ones"
    )
    for point in points:
        plot.dot(point, _SMALLEST_DOT, "point")
    return plot.svg()


def _radius(share: float) -> float:
    return max(_SMALLEST_DOT, _GREATEST_DOT * math.sqrt(share))


def _ticks(low: float, high: float) -> list[float]:
    """The multiples of a round step between two ends, four to ten of them."""
    step = _round_step((high - low) / _FEWEST_STEPS)
    # An end may be a multiple but for rounding.
    first, last = math.ceil(low / step - _ROUNDING), math.floor(high / step + _ROUNDING)
    return [place * step for place in range(first, last + 1)]


def _round_step(most: float) -> float:
    """The greatest of 1, 2, 5 × 10^n that is not greater."""
    unit = 10.0 ** math.floor(math.log10(most * (1 + _ROUNDING)))
    return max(step * unit for step in (1, 2, 5) if step * unit <= most * (1 + _ROUNDING))


def _round_up(value: float) -> float:
    """The next of 1, 2, 5 × 10^n that leaves room above a bar."""
    if value <= 0:
        return 1.0
    wanted = value * 1.08
    unit = 10 ** math.floor(math.log10(wanted))
    return next(step * unit for step in (1, 2, 5, 10) if step * unit >= wanted)


def _wide(values: Sequence[float]) -> tuple[float, float]:
    """The range of values, never empty."""
    low, high = min(values), max(values)
    return (low, high) if low < high else (low - 0.5, high + 0.5)
