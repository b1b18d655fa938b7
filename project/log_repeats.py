"""Let a line that repeats pass once in a while, so that it doesn't bury others.

While the database is away, each refused request and each periodic task would log the same line.
"""

import logging
from collections.abc import Iterable

from chat.lib.limits import BoundedMap, clock

#: Of the same line, one passes in this time.
EVERY_SECONDS = 30.0
#: Lines to remember.
KEPT = 100


class Repeats(logging.Filter):
    """Pass the first of equal lines of these loggers, and then one each half minute.

    That one says how many were left out.
    """

    def __init__(self, loggers: Iterable[str]) -> None:
        super().__init__()
        self._loggers = frozenset(loggers)
        #: Line → when it passed, and how many were left out since.
        self._passed: BoundedMap[tuple[str, str], tuple[float, int]] = BoundedMap(KEPT)

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name not in self._loggers or record.exc_info:
            return True
        line, now = (record.name, record.getMessage()), clock.monotonic()
        before, left_out = self._passed.get(line, (now - EVERY_SECONDS, 0))
        if now - before < EVERY_SECONDS:
            self._passed[line] = before, left_out + 1
            return False
        self._passed[line] = now, 0
        if left_out:
            record.msg, record.args = f"{line[1]} (and {left_out} times more)", ()
        return True
