"""Build the analytics page: charts for a period, with tables beside them."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.lib import charts
from chat.lib.charts import Chart
from chat.lib.number_format import format_percent, format_value
from chat.review.analytics.reports import Period, UsageStatistics
from chat.review.search.conversation_search import STARTED
from chat.web.review.analytics.forecast_presenter import shown_forecast
from chat.web.review.analytics.forms import LENGTHS, PeriodForm
from chat.web.review.analytics.presenters import (
    AMOUNTS,
    PEOPLE,
    QUANTITIES,
    RATES,
    TIMES,
    AnalyticsTables,
    answers_url,
    costs_on_page,
    errors_on_page,
    latest_period,
    models_on_page,
    people_on_page,
    search_url,
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
    parts = [
        models_on_page(measures),
        *([people_on_page(measures)] if measures.shows_people else []),
        measures.table("sites"),
        measures.table("languages"),
        *([measures.table("topics")] if measures.table("topics").rows else []),
        errors_on_page(measures),
    ]
    return {
        "period": form.period,
        "before": form.period.before,
        "lengths": [
            (days, urlencode(group | {"days": days}), not is_free and days == form.period.days)
            for days in LENGTHS
        ],
        "months": _months(form.period, group),
        "query": urlencode(chosen),
        "key_figures": _key_figures(measures),
        "forecast": None if measures.is_counting else shown_forecast(measures.measured),
        "amounts": [_amount_chart(measures, column) for column in (PEOPLE, *AMOUNTS)],
        "courses": _courses(measures),
        "days": measures.table("days").newest_first(),
        "quality": measures.table("quality").newest_first(),
        "parts": [(table, _ranking(table)) for table in parts],
        "costs": costs_on_page(measures),
        "summary": _summary(measures),
        "shows_people": measures.shows_people,
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
    days = list(measures.period)
    return Chart(
        column.name,
        str(column.label),
        _("One bar per day. The line shows the previous period. The table below has the numbers."),
        width=len(days) * charts.STEP,
        points=charts.points(titles, [_day_url(measures, column.name, day) for day in days]),
        dates=charts.axis_dates(days),
        bars=charts.bars(now, titles, most),
        lines=[charts.line("before", _("Previous period"), then, most)],
        most=format_value(max(now, default=0), column.kind),
        total=format_value(total, column.kind),
        change=_change(measures, total, before),
    )


def _day_url(measures: AnalyticsTables, name: str, day: date) -> str:
    """Return the address of the chats or answers that a bar counts."""
    if name == "chats":
        return search_url(measures, day, time=STARTED)
    return answers_url(measures, day)


def _months(period: Period, kept: dict[str, str]) -> list[tuple[str, str, bool]]:
    """Return label, query string and whether it is `period`, for this month and the last one.

    `kept` are parameters to keep.
    """
    today = latest_period(1).last
    this = Period(today.replace(day=1), today)
    before = this.first - timedelta(days=1)
    last = Period(before.replace(day=1), before)
    return [
        (
            label,
            urlencode(kept | {"since": each.first.isoformat(), "until": each.last.isoformat()}),
            each == period,
        )
        for label, each in ((_("This month"), this), (_("Last month"), last))
    ]


def _key_figures(measures: AnalyticsTables) -> list[tuple[Any, str, str]]:
    """Return label, value and change of the most important figures."""
    now, before = measures.total, measures.total_before
    figures = []
    for column in (PEOPLE, AMOUNTS[0], AMOUNTS[1], AMOUNTS[-1]):
        value, earlier = (_value(each, column.name) for each in (now, before))
        change = _change(measures, value, earlier)
        figures.append((column.label, format_value(value, column.kind), change))
    failed, wait = RATES[3], TIMES[0]
    figures.append((failed.label, format_value(now.rate(failed.name), failed.kind), ""))
    figures.append((wait.label, format_value(now.first_token_seconds(0.5), wait.kind), ""))
    return figures


def _change(measures: AnalyticsTables, now: float, before: float) -> str:
    if measures.is_counting:
        return ""
    if not before:
        return _("no earlier data") if now else ""
    percent = round((now - before) / before * 100)
    sign = "+" if percent > 0 else "−" if percent < 0 else "±"
    return format_percent(sign + format_value(abs(percent), ColumnKind.COUNT))


def _courses(measures: AnalyticsTables) -> list[Chart]:
    """Return daily line charts: time to first token, speed, and rates of failures.

    An answer that a person stopped is none.
    """
    return [
        _course(measures, "first_token", _("Time to first token"), TIMES[:3]),
        _course(measures, "speed", _("Tokens per second"), TIMES[3:]),
        _course(
            measures,
            "endings",
            _("Interrupted or failed answers"),
            RATES[2:4],
        ),
    ]


def _course(measures: AnalyticsTables, name: str, title: str, columns: Sequence[Column]) -> Chart:
    table = measures.table("quality")
    values = [table.values_of(column.name) for column in columns]
    most = max((value for each in values for value in each if value is not None), default=0)
    days = list(measures.period)
    titles = [_point_title(day, columns, each) for day, *each in zip(days, *values, strict=True)]
    return Chart(
        name,
        title,
        _("One line each, by day. The table next to it has the numbers."),
        width=len(days) * charts.STEP,
        points=charts.points(titles, [answers_url(measures, day) for day in days]),
        dates=charts.axis_dates(days),
        lines=[
            charts.line(f"line-{number}", str(column.label), each, most)
            for number, (column, each) in enumerate(zip(columns, values, strict=True), 1)
        ],
        most=format_value(most, columns[0].kind),
    )


def _point_title(day: date, columns: Sequence[Column], values: Sequence[float | None]) -> str:
    words = ", ".join(
        f"{column.label} {format_value(value, column.kind)}"
        for column, value in zip(columns, values, strict=True)
    )
    return f"{format_value(day, ColumnKind.DAY)}: {words}"


def _ranking(table: Table) -> dict[str, Any]:
    """Return the first rows of a table ranked by cost, or by count where nothing has a cost."""
    names = [column.name for column in table.columns]
    wanted = [name for name in ("dollars", "messages", "times") if name in names]
    name = next((each for each in wanted if any(table.values_of(each))), wanted[-1])
    column = table.columns[names.index(name)]
    values = table.values_of(name)[:RANKED]
    labels = [str(row[0]) for row in table.rows[:RANKED]]
    words = [format_value(value, column.kind) for value in values]
    urls = (table.links or [""] * len(table.rows))[:RANKED]
    return {"title": column.label, "rows": charts.ranked(labels, values, words, urls)}


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
