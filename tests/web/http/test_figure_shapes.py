"""Tables of figures and charts as HTML and SVG."""

from datetime import date
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from chat.lib import charts
from chat.lib.charts import Chart
from chat.lib.number_format import format_value
from chat.web.review.http.tables import Column, ColumnKind, Table

HOSTILE = "<script>\"'&"
ESCAPED = "&lt;script&gt;&quot;&#x27;&amp;"


def body_of(*rows: list[Any], links: tuple[str, ...] = ()) -> str:
    """Return the rows of a table as HTML, without space between elements."""
    columns = (
        Column("name", "Name", ColumnKind.TEXT),
        Column("cost", "Cost", ColumnKind.DOLLARS),
        Column("about", "About", ColumnKind.WORDS),
    )
    table = Table("costs", "Costs", columns, rows, links)
    shown = render_to_string("review/_figure_table.html", {"table": table})
    body = shown.partition("<tbody>")[2].partition("</tbody>")[0]
    return "".join(line.strip() for line in body.splitlines())


def test_names_and_links_are_text() -> None:
    assert body_of([HOSTILE, 2.5, HOSTILE], links=(f"?q={HOSTILE}",)) == (
        f'<tr><th scope="row"><a href="?q={ESCAPED}"><bdi>{ESCAPED}</bdi></a></th>'
        f'<td class="number"><bdi>$2.50</bdi></td><td><bdi>{ESCAPED}</bdi></td></tr>'
    )


def test_rows_without_links_and_empty_cells() -> None:
    assert '<th scope="row"><bdi>A</bdi></th>' in body_of(["A", None, ""])
    assert "<bdi>–</bdi>" in body_of(["A", None, ""])
    assert body_of() == ""


def test_the_last_day_of_a_chart_can_be_tabbed_to() -> None:
    titles = ["Monday: 1", HOSTILE]
    chart = Chart(
        "people", "People", "", width=20,
        points=charts.points(titles, [f"?day={HOSTILE}", ""]),
        bars=charts.bars([1, 2], titles, 2),
        lines=[charts.line("before", "Before", [1, 2], 2)],
    )  # fmt: skip
    shapes = render_to_string("_chart.html", {"chart": chart})
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
