"""Define what can be limited, in which unit and per which time.

Times are the database's, in UTC.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.db import models
from django.utils.translation import gettext_lazy as _

Window = Literal["", "minute", "day", "month"]


class Measure(models.TextChoices):
    """A quantity that limits apply to."""

    RUNNING = "running", _("simultaneous answers")
    REQUESTS = "requests", _("messages per minute")
    TOKENS = "tokens", _("tokens per day")
    NEURONS = "neurons", _("neurons per day")
    DOLLARS = "dollars", _("US dollars per month")


@dataclass(frozen=True, slots=True)
class MeasureKind:
    """How a measure is stored: the column of a meter, the parts of its unit, and its window."""

    column: str
    parts: int
    window: Window


KINDS = {
    Measure.RUNNING: MeasureKind("running", 1, ""),
    Measure.REQUESTS: MeasureKind("requests", 1, "minute"),
    Measure.TOKENS: MeasureKind("tokens", 1, "day"),
    Measure.NEURONS: MeasureKind("millineurons", 1000, "day"),
    Measure.DOLLARS: MeasureKind("microdollars", 1_000_000, "month"),
}


#: Measures that recover by themselves within a minute.
RATES = frozenset({Measure.RUNNING, Measure.REQUESTS})


def window_start(window: Window, now: datetime) -> datetime | None:
    """Return when the current minute, day or month began; None without a window."""
    minute = now.replace(second=0, microsecond=0)
    match window:
        case "minute":
            return minute
        case "day":
            return minute.replace(hour=0, minute=0)
        case "month":
            return minute.replace(day=1, hour=0, minute=0)
        case _:
            return None


def window_end(window: Window, now: datetime) -> datetime | None:
    """Return when the next minute, day or month begins; None without a window."""
    start = window_start(window, now)
    if start is None:
        return None
    match window:
        case "minute":
            return start + timedelta(minutes=1)
        case "day":
            return start + timedelta(days=1)
        case _:
            return (start + timedelta(days=32)).replace(day=1)
