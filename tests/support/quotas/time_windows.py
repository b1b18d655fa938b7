"""Keep time windows from ending during a test: limits count by minute, day and month.

Without this, a test that sends up to a limit fails when a new minute starts meanwhile.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

from chat.quotas.units import Window, window_start

MAX_TEST_DURATION = timedelta(minutes=5)


def held_windows() -> Callable[[Window, datetime], datetime | None]:
    """Return `window_start` for one test, which ignores windows that start while it runs."""
    since = timezone.now()

    def held(window: Window, now: datetime) -> datetime | None:
        start = window_start(window, now)
        is_of_test = start is not None and since < start <= since + MAX_TEST_DURATION
        return window_start(window, since) if is_of_test else start

    return held
