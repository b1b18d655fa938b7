"""When a site's team answers visitors, by the clock of the team's time zone."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo

from chat.widget_sites.models import WidgetSite

DAYS = 7


@dataclass(frozen=True, slots=True)
class Opening:
    """A part of a day; `until` is later than `since`."""

    since: time
    until: time


@dataclass(frozen=True, slots=True)
class OpeningHours:
    """The opening of each day, Monday first; None for days without."""

    timezone: ZoneInfo
    days: tuple[Opening | None, ...]

    @classmethod
    def of(cls, site: WidgetSite) -> Self | None:
        """Return the hours; None if somebody always answers."""
        stored = site.opening_hours
        if not stored:
            return None
        days = (
            Opening(*map(time.fromisoformat, each)) if each else None for each in stored["days"]
        )
        return cls(ZoneInfo(stored["timezone"]), tuple(days))

    def as_stored(self) -> dict[str, Any]:
        days = [each and [f"{each.since:%H:%M}", f"{each.until:%H:%M}"] for each in self.days]
        return {"timezone": self.timezone.key, "days": days}

    def is_open(self, at: datetime) -> bool:
        local = at.astimezone(self.timezone)
        today = self.days[local.weekday()]
        return today is not None and today.since <= local.time() < today.until

    def next_opening(self, after: datetime) -> datetime | None:
        """Return the start of the next opening; None if there is none."""
        today = after.astimezone(self.timezone).date()
        for ahead in range(DAYS + 1):
            day = today + timedelta(days=ahead)
            if opening := self.days[day.weekday()]:
                start = datetime.combine(day, opening.since, self.timezone)
                if start > after:
                    return start
        return None
