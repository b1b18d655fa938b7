"""Pictures of days as SVG: shapes only, no style and no script; numbers stand in a table beside.

Time runs in the direction of the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import get_language_bidi

STEP, GAP, HEIGHT = 10, 1, 100  # of one day, in the picture's own units


@dataclass(frozen=True, slots=True)
class Bar:
    x: str
    y: str
    width: str
    height: str
    title: str


@dataclass(frozen=True, slots=True)
class Line:
    """`name` is its style: `before`, or a percentile. A day without a value breaks it."""

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
    most: str = ""  # the highest value, in words
    total: str = ""
    change: str = ""


def bars(values: Sequence[float], titles: Sequence[str], most: float) -> list[Bar]:
    """One for each day; nothing where there was nothing."""
    found = []
    for number, (value, title) in enumerate(zip(values, titles, strict=True)):
        height = HEIGHT * value / most if most else 0.0
        left = _left(number, len(values)) + GAP
        found.append(
            Bar(str(left), _text(HEIGHT - height), str(STEP - 2 * GAP), _text(height), title)
        )
    return found


def line(name: str, label: str, values: Sequence[float | None], most: float) -> Line:
    """Through the middle of each day; where a day has no value the line has a gap."""
    pieces: list[list[str]] = [[]]
    for number, value in enumerate(values):
        if value is None:
            pieces.append([])
            continue
        x = _left(number, len(values)) + STEP / 2
        y = HEIGHT * (1 - value / most) if most else HEIGHT
        pieces[-1].append(f"{_text(x)},{_text(y)}")
    # One day alone would be no line: it becomes a short one.
    return Line(name, label, [" ".join(_seen(each)) for each in pieces if each])


def _seen(points: list[str]) -> list[str]:
    if len(points) > 1:
        return points
    x, _, y = points[0].partition(",")
    return [f"{_text(float(x) - GAP)},{y}", f"{_text(float(x) + GAP)},{y}"]


def _left(number: int, count: int) -> int:
    return STEP * (count - 1 - number if get_language_bidi() else number)


def _text(number: float) -> str:
    """As SVG writes numbers, whatever the language."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class Ranked:
    """One of those that a picture compares; `x` and `width` are of 100."""

    label: str
    value: str
    x: str
    width: str


def ranked(labels: Sequence[str], values: Sequence[float], words: Sequence[str]) -> list[Ranked]:
    """Beside each other, each in proportion to the largest."""
    most = max(values, default=0)
    widths = [100 * value / most if most else 0.0 for value in values]
    return [
        Ranked(label, word, _text(100 - width if get_language_bidi() else 0), _text(width))
        for label, word, width in zip(labels, words, widths, strict=True)
    ]
