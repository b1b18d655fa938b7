"""Limits count by minutes, days and months: none of them ends in the middle of a test.

Without it a test that sends as much as it may fails whenever a minute turns meanwhile.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

from chat.quotas.units import Window, began

LONGEST_TEST = timedelta(minutes=5)


def held_windows() -> Callable[[Window, datetime], datetime | None]:
    """Return `began` for one test: a window that begins while it runs is still the one before."""
    since = timezone.now()

    def held(window: Window, now: datetime) -> datetime | None:
        start = began(window, now)
        is_of_test = start is not None and since < start <= since + LONGEST_TEST
        return began(window, since) if is_of_test else start

    return held
