"""Lay out daily charts as SVG shapes, without styles or scripts; tables show the numbers.

Time runs in the direction of the page's script.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from django.utils.translation import get_language_bidi

from chat.lib.number_format import format_value

# Width of a day, space between bars and chart height, in SVG user units.
STEP, GAP, HEIGHT = 10, 1, 100


@dataclass(frozen=True, slots=True)
class Bar:
    x: str
    y: str
    width: str
    height: str
    title: str


@dataclass(frozen=True, slots=True)
class Point:
    """A day of a chart: the area to point at, its values in words, and where it may lead."""

    x: str
    title: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line; `name` is its style (`before` or a percentile). Days without a value leave gaps."""

    name: str
    label: str
    pieces: list[str]


@dataclass(frozen=True, slots=True)
class Chart:
    name: str
    title: str
    description: str
    width: int
    height: int = HEIGHT
    bars: list[Bar] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)  # one for each day
    dates: list[str] = field(default_factory=list)  # below the chart, evenly spaced
    step: int = STEP
    most: str = ""  # the highest value, formatted
    total: str = ""
    change: str = ""


def bars(values: Sequence[float], titles: Sequence[str], most: float) -> list[Bar]:
    """Return one bar for each day; it has no height where the value is 0."""
    drawn = []
    for number, (value, title) in enumerate(zip(values, titles, strict=True)):
        height = HEIGHT * value / most if most else 0.0
        left = _left(number, len(values)) + GAP
        drawn.append(
            Bar(str(left), _text(HEIGHT - height), str(STEP - 2 * GAP), _text(height), title)
        )
    return drawn


def points(titles: Sequence[str], urls: Sequence[str] = ()) -> list[Point]:
    """Return the areas of the days, oldest first; without `urls` they are no links."""
    return [
        Point(str(_left(number, len(titles))), title, url)
        for number, (title, url) in enumerate(zip(titles, urls or [""] * len(titles), strict=True))
    ]


def axis_dates(days: Sequence[date], kind: str = "day") -> list[str]:
    """Return the first day, the last and the middle one."""
    middle = (len(days) - 1) // 2
    shown = days if len(days) < 3 else (days[0], days[middle], days[-1])
    return [format_value(day, kind) for day in shown]


def line(name: str, label: str, values: Sequence[float | None], most: float) -> Line:
    """Return a line through the middle of each day, with gaps where a day has no value."""
    pieces: list[list[str]] = [[]]
    for number, value in enumerate(values):
        if value is None:
            pieces.append([])
            continue
        x = _left(number, len(values)) + STEP / 2
        y = HEIGHT * (1 - value / most) if most else HEIGHT
        pieces[-1].append(f"{_text(x)},{_text(y)}")
    # A line of one point would be invisible, so it is drawn as a short dash.
    return Line(name, label, [" ".join(_seen(each)) for each in pieces if each])


def _seen(points: list[str]) -> list[str]:
    if len(points) > 1:
        return points
    x, _, y = points[0].partition(",")
    return [f"{_text(float(x) - GAP)},{y}", f"{_text(float(x) + GAP)},{y}"]


def _left(number: int, count: int) -> int:
    return STEP * (count - 1 - number if get_language_bidi() else number)


def _text(number: float) -> str:
    """Format a number for SVG, independent of the language."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class Ranked:
    """An item of a ranking; `x` and `width` are percentages."""

    label: str
    value: str
    x: str
    width: str
    url: str = ""  # where it leads


def ranked(
    labels: Sequence[str], values: Sequence[float], words: Sequence[str], urls: Sequence[str]
) -> list[Ranked]:
    """Return a bar for each item, in proportion to the largest."""
    most = max(values, default=0)
    widths = [100 * value / most if most else 0.0 for value in values]
    return [
        Ranked(label, word, _text(100 - width if get_language_bidi() else 0), _text(width), url)
        for label, word, width, url in zip(labels, words, widths, urls, strict=True)
    ]
