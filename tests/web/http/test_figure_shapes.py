"""Tables of figures and charts, whose rows and shapes are made without templates."""

from datetime import date
from typing import Any

from django.utils import translation

from chat.lib import charts
from chat.lib.charts import Chart
from chat.lib.number_format import format_value
from chat.templatetags.figure_shapes import chart_shapes, figure_rows
from chat.web.review.http.tables import Column, ColumnKind, Table

HOSTILE = "<script>\"'&"
ESCAPED = "&lt;script&gt;&quot;&#x27;&amp;"


def table_of(*rows: list[Any], links: tuple[str, ...] = ()) -> Table:
    columns = (
        Column("name", "Name", ColumnKind.TEXT),
        Column("cost", "Cost", ColumnKind.DOLLARS),
        Column("about", "About", ColumnKind.WORDS),
    )
    return Table("costs", "Costs", columns, rows, links)


def test_names_and_links_are_text() -> None:
    rows = figure_rows(table_of([HOSTILE, 2.5, HOSTILE], links=(f"?q={HOSTILE}",)))
    assert rows == (
        f'<tr><th scope="row"><a href="?q={ESCAPED}"><bdi>{ESCAPED}</bdi></a></th>'
        f'<td class="number"><bdi>$2.50</bdi></td><td><bdi>{ESCAPED}</bdi></td></tr>\n'
    )


def test_rows_without_links_and_empty_cells() -> None:
    assert '<th scope="row"><bdi>A</bdi></th>' in figure_rows(table_of(["A", None, ""]))
    assert "<bdi>–</bdi>" in figure_rows(table_of(["A", None, ""]))
    assert figure_rows(table_of()) == ""


def test_the_last_day_of_a_chart_can_be_tabbed_to() -> None:
    titles = ["Monday: 1", HOSTILE]
    chart = Chart(
        "people", "People", "", width=20,
        points=charts.points(titles, [f"?day={HOSTILE}", ""]),
        bars=charts.bars([1, 2], titles, 2),
        lines=[charts.line("before", "Before", [1, 2], 2)],
    )  # fmt: skip
    shapes = chart_shapes(chart)
    assert shapes.count('<rect class="bar"') == 2
    assert shapes.count("<polyline") == 1
    assert f'<a href="?day={ESCAPED}" tabindex="-1"><title>Monday: 1</title>' in shapes
    assert f'<a role="img" tabindex="0"><title>{ESCAPED}</title>' in shapes


def test_a_figure_is_written_in_the_language_of_the_page() -> None:
    shown = []
    for language in ("en", "de", "en"):
        with translation.override(language):
            day = format_value(date(2026, 11, 24), "day")
            shown.append((format_value(1234.5, "dollars"), format_value(1234, "count"), day))
    assert shown[0] == shown[2] == ("$1,234.50", "1,234", "11/24/2026")
    assert shown[1] == ("$1.234,50", "1.234", "24.11.2026")
