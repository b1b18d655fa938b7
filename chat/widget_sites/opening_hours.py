"""When a site's team answers visitors, by the clock of the team's time zone."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo

from chat.widget_sites.models import WidgetSite

DAYS = 7


@dataclass(frozen=True, slots=True)
class Opening:
    """A part of a day. It ends on the next day if `until` isn't later than `since`."""

    since: time
    until: time

    @property
    def ends_next_day(self) -> bool:
        return self.until <= self.since


@dataclass(frozen=True, slots=True)
class OpeningHours:
    """The openings of each day in their order, Monday first."""

    timezone: ZoneInfo
    days: tuple[tuple[Opening, ...], ...]

    @classmethod
    def of(cls, site: WidgetSite) -> Self | None:
        """Return the hours; None if somebody always answers."""
        stored = site.opening_hours
        if not stored or "days" not in stored:
            return None  # only the time zone may be set
        days = tuple(tuple(_openings(each or [])) for each in stored["days"])
        return cls(ZoneInfo(stored["timezone"]), days)

    @staticmethod
    def timezone_of(site: WidgetSite) -> str:
        """Return the name of the time zone that the site's team has set; empty if none."""
        return str(site.opening_hours["timezone"]) if site.opening_hours else ""

    def as_stored(self) -> dict[str, Any]:
        """Return the hours as JSON: for each day, the beginning and end of each opening in turn."""
        days = [
            [f"{moment:%H:%M}" for each in day for moment in (each.since, each.until)] or None
            for day in self.days
        ]
        return {"timezone": self.timezone.key, "days": days}

    def is_open(self, at: datetime) -> bool:
        local = at.astimezone(self.timezone)
        now, today, yesterday = local.time(), local.weekday(), local.weekday() - 1
        return any(
            each.since <= now and (each.ends_next_day or now < each.until)
            for each in self.days[today]
        ) or any(each.ends_next_day and now < each.until for each in self.days[yesterday])

    def next_opening(self, after: datetime) -> datetime | None:
        """Return the start of the next opening; None if there is none."""
        today = after.astimezone(self.timezone).date()
        for ahead in range(DAYS + 1):
            day = today + timedelta(days=ahead)
            for opening in self.days[day.weekday()]:
                start = datetime.combine(day, opening.since, self.timezone)
                if start > after:
                    return start
        return None


def _openings(times: list[str]) -> Iterator[Opening]:
    for since, until in zip(times[::2], times[1::2], strict=True):
        yield Opening(time.fromisoformat(since), time.fromisoformat(until))
