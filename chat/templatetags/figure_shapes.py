"""Render the rows of figure tables and the shapes of daily charts.

A page has thousands of them, so no template is rendered for each.
"""

from collections.abc import Iterator, Sequence
from html import escape  # Django's also calls it, but for values of all kinds
from typing import Any, Protocol

from django import template
from django.utils.safestring import SafeString, mark_safe

from chat.lib.charts import Chart
from chat.lib.number_format import format_value

register = template.Library()

HEAD = '<th scope="row"><bdi>{}</bdi></th>'
LINKED_HEAD = '<th scope="row"><a href="{}"><bdi>{}</bdi></a></th>'
CELL, NUMBER = "<td><bdi>{}</bdi></td>", '<td class="number"><bdi>{}</bdi></td>'
BAR = '<rect class="bar" x="{}" y="{}" width="{}" height="{}"></rect>'
LINE = '<polyline data-line="{}" points="{}" vector-effect="non-scaling-stroke"></polyline>'
DAY = (
    '<a {} tabindex="{}"><title>{}</title>'
    '<rect class="chart-day" x="{}" y="0" width="{}" height="{}" /></a>'
)


class FigureColumn(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def is_number(self) -> bool: ...


class FigureTable(Protocol):
    """A table of figures (chat/web/review/http/tables.py)."""

    @property
    def columns(self) -> Sequence[FigureColumn]: ...
    @property
    def rows(self) -> Sequence[Sequence[Any]]: ...
    @property
    def links(self) -> Sequence[str]: ...


@register.simple_tag
def figure_rows(table: FigureTable) -> SafeString:
    """Return the rows of the table's body."""
    first, *others = table.columns
    cells = [(NUMBER if column.is_number else CELL, column.kind) for column in others]
    links = table.links or [""] * len(table.rows)
    rows = []
    for link, (head, *values) in zip(links, table.rows, strict=True):
        rows.append("<tr>" + _head(link, _text(head, first.kind)))
        rows += [
            cell.format(_text(value, kind))
            for (cell, kind), value in zip(cells, values, strict=True)
        ]
        rows.append("</tr>\n")
    return mark_safe("".join(rows))  # noqa: S308  (values and links are escaped)


@register.simple_tag
def chart_shapes(chart: Chart) -> SafeString:
    """Return the bars, the lines, and the areas of the days, of which the last can be tabbed to."""
    return mark_safe("".join(_shapes(chart)))  # noqa: S308  (texts are escaped)


def _shapes(chart: Chart) -> Iterator[str]:
    for bar in chart.bars:
        yield BAR.format(bar.x, bar.y, bar.width, bar.height)
    for line in chart.lines:
        for points in line.pieces:
            yield LINE.format(escape(line.name), points)
    last = len(chart.points) - 1
    for number, point in enumerate(chart.points):
        role = f'href="{escape(point.url)}"' if point.url else 'role="img"'
        tabindex = 0 if number == last else -1
        title = escape(point.title)
        yield DAY.format(role, tabindex, title, point.x, chart.step, chart.height)


def _head(link: str, text: str) -> str:
    return LINKED_HEAD.format(escape(link), text) if link else HEAD.format(text)


def _text(value: Any, kind: str) -> str:
    return escape(str(format_value(value, kind)))
