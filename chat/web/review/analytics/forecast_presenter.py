"""Say what the running month costs so far, and what it will cost if it goes on like this."""

from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.lib.number_format import format_value
from chat.review.analytics.forecast import MonthForecast, month_forecast
from chat.review.analytics.reports import UsageReport
from chat.web.review.http.tables import ColumnKind


@dataclass(frozen=True, slots=True)
class ForecastOut:
    month: str
    cost: str
    cost_by_end: str  # empty if it is too early to tell
    basis: str


def shown_forecast(report: UsageReport) -> ForecastOut:
    forecast = month_forecast(report)
    by_end = forecast.dollars_by_its_end
    return ForecastOut(
        month=date_format(forecast.first, "YEAR_MONTH_FORMAT"),
        cost=_dollars(forecast.dollars),
        cost_by_end="" if by_end is None else _dollars(by_end),
        basis=_basis(forecast),
    )


def _basis(forecast: MonthForecast) -> str:
    daily = forecast.daily_dollars
    if daily is None:
        return _("The forecast for this month appears after its first day (UTC).")
    return _(
        "This assumes that costs continue at the average since {first}: {daily} a day, for the"
        " {days} days of the month."
    ).format(
        first=format_value(forecast.first, ColumnKind.DAY),
        daily=_dollars(daily),
        days=forecast.days,
    )


def _dollars(amount: float) -> str:
    return format_value(amount, ColumnKind.DOLLARS)
