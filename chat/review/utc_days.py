"""Days in review, which are those of UTC for everybody.

Analytics counts them, and filters list them, so a link from a figure shows what was counted,
wherever its reader is. Times are shown in the reader's zone, with its name
(chat/templatetags/review_times.py).
"""

from datetime import UTC, date, datetime, timedelta

from django.utils import timezone

ONE_DAY = timedelta(days=1)


def today() -> date:
    return day_of(timezone.now())


def day_of(moment: datetime) -> date:
    return moment.astimezone(UTC).date()


def start_of(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time(), UTC)


def end_of(day: date) -> datetime:
    """Return the first moment after the day."""
    return start_of(day + ONE_DAY)
