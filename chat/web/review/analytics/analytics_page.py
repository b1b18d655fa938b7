"""Build the analytics page: charts for a period, with tables beside them."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.lib.number_format import format_value
from chat.review.analytics.reports import UsageStatistics
from chat.web.review.analytics import charts
from chat.web.review.analytics.charts import Chart
from chat.web.review.analytics.forms import LENGTHS, PeriodForm
from chat.web.review.analytics.presenters import (
    AMOUNTS,
    PEOPLE,
    QUANTITIES,
    RATES,
    TIMES,
    AnalyticsTables,
    people_on_page,
)
from chat.web.review.http.tables import Column, ColumnKind, Table

RANKED = 8  # in the chart; the table has all


def analytics_context(
    request: HttpRequest, form: PeriodForm, measures: AnalyticsTables
) -> dict[str, Any]:
    """Return the template context for a valid form."""
    chosen = {name: request.GET[name] for name in form.fields if request.GET.get(name)}
    group = {name: value for name, value in chosen.items() if name in {"group", "site"}}
    is_free = "since" in chosen or "until" in chosen
    people = people_on_page(measures)
    parts = [measures.table("models"), people, measures.table("sites"), measures.table("errors")]
    return {
        "period": form.period,
        "before": form.period.before,
        "lengths": [
            (days, urlencode(group | {"days": days}), not is_free and days == form.period.days)
            for days in LENGTHS
        ],
        "query": urlencode(chosen),
        "amounts": [_amount_chart(measures, column) for column in (PEOPLE, *AMOUNTS)],
        "courses": _courses(measures),
        "days": measures.table("days"),
        "quality": measures.table("quality"),
        "parts": [(table, _ranking(table)) for table in parts],
        "summary": _summary(measures),
        "has_any": any(measures.total[name] for name in ("messages", "chats", "people")),
    }


def _amount_chart(measures: AnalyticsTables, column: Column) -> Chart:
    """Return a chart with bars for this period and a line for the previous one."""
    now = [_value(each, column.name) for _day, each in measures.days(measures.period)]
    then = [_value(each, column.name) for _day, each in measures.days(measures.period.before)]
    most = max((*now, *then), default=0)
    titles = [
        f"{format_value(day, ColumnKind.DAY)}: {format_value(value, column.kind)}"
        for day, value in zip(measures.period, now, strict=True)
    ]
    total, before = (_value(each, column.name) for each in (measures.total, measures.total_before))
    days = measures.period.days
    return Chart(
        column.name,
        str(column.label),
        _("One bar per day. The line shows the previous period. The table below has the numbers."),
        width=days * charts.STEP,
        bars=charts.bars(now, titles, most),
        lines=[charts.line("before", _("Previous period"), then, most)],
        most=format_value(max(now, default=0), column.kind),
        total=format_value(total, column.kind),
        change=_change(total, before),
    )


def _change(now: float, before: float) -> str:
    if not before:
        return _("no earlier data") if now else ""
    percent = round((now - before) / before * 100)
    sign = "+" if percent > 0 else "−" if percent < 0 else "±"
    return f"{sign}{format_value(abs(percent), ColumnKind.COUNT)} %"


def _courses(measures: AnalyticsTables) -> list[Chart]:
    """Return daily line charts: time to first token, speed, and rates of unsuccessful answers."""
    return [
        _course(measures, "first_token", _("Time to first token"), TIMES[:3]),
        _course(measures, "speed", _("Tokens per second"), TIMES[3:]),
        _course(
            measures,
            "endings",
            _("Stopped, interrupted or failed answers"),
            RATES[1:4],
        ),
    ]


def _course(measures: AnalyticsTables, name: str, title: str, columns: Sequence[Column]) -> Chart:
    table = measures.table("quality")
    values = [table.values_of(column.name) for column in columns]
    most = max((value for each in values for value in each if value is not None), default=0)
    return Chart(
        name,
        title,
        _("One line each, by day. The table next to it has the numbers."),
        width=measures.period.days * charts.STEP,
        lines=[
            charts.line(f"line-{number}", str(column.label), each, most)
            for number, (column, each) in enumerate(zip(columns, values, strict=True), 1)
        ],
        most=format_value(most, columns[0].kind),
    )


def _ranking(table: Table) -> dict[str, Any]:
    """Return the first rows of a table ranked by cost, or by count where nothing has a cost."""
    names = [column.name for column in table.columns]
    wanted = [name for name in ("dollars", "messages", "times") if name in names]
    name = next((each for each in wanted if any(table.values_of(each))), wanted[-1])
    column = table.columns[names.index(name)]
    values = table.values_of(name)[:RANKED]
    labels = [str(row[0]) for row in table.rows[:RANKED]]
    words = [format_value(value, column.kind) for value in values]
    return {"title": column.label, "rows": charts.ranked(labels, values, words)}


def _value(each: UsageStatistics, name: str) -> float:
    match name:
        case "neurons":
            return each.neurons
        case "dollars":
            return each.dollars
        case _:
            return each[name]


def _summary(measures: AnalyticsTables) -> list[tuple[Any, str, str]]:
    """Return the summary table's rows, each formatted in its own unit."""
    return [
        (column.label, format_value(now, column.kind), format_value(then, column.kind))
        for column, (_name, now, then) in zip(
            QUANTITIES, measures.table("summary").rows, strict=True
        )
    ]
