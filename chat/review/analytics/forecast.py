"""Forecast what the running month will cost, if it goes on as it has since its beginning."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils import timezone

from chat.review.analytics.reports import Period, UsageReport
from chat.review.utc_days import ONE_DAY, day_of, start_of

#: A forecast from the first hours of a month would be a guess.
LEAST_ELAPSED = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class MonthForecast:
    """The cost of the running month in UTC, up to now and, in proportion, up to its end."""

    first: date
    days: int  # of the whole month
    elapsed: timedelta
    dollars: float  # up to now

    @property
    def daily_dollars(self) -> float | None:
        """Return the average cost of a day; None if it is too early to tell."""
        if self.elapsed < LEAST_ELAPSED:
            return None
        return self.dollars / (self.elapsed / ONE_DAY)

    @property
    def dollars_by_its_end(self) -> float | None:
        daily = self.daily_dollars
        return None if daily is None else daily * self.days


def month_forecast(report: UsageReport, now: datetime | None = None) -> MonthForecast:
    """Return the forecast for the people of the report, whatever its period."""
    now = now or timezone.now()
    today = day_of(now)
    first = today.replace(day=1)
    return MonthForecast(
        first=first,
        days=monthrange(first.year, first.month)[1],
        elapsed=now - start_of(first),
        dollars=report.dollars(Period(first, today)),
    )
