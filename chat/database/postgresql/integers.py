"""Send integers to PostgreSQL in few types, so that a repeated statement is the same statement.

psycopg chooses the smallest type for each number. A statement with many numbers then has many
forms, and hardly ever the one that was prepared.
"""

from functools import cache

from psycopg.adapt import AdaptersMap, Dumper, PyFormat
from psycopg.types.numeric import IntDumper

INT4_END = 2**31


class WideIntDumper(IntDumper):
    """Send integers as `int4` instead of `int2`; PostgreSQL converts them where it wants less."""

    def upgrade(self, obj: int, format: PyFormat) -> Dumper:  # noqa: A002
        if -INT4_END <= obj < INT4_END:
            return self._int4_dumper
        return super().upgrade(obj, format)


@cache
def with_wide_integers(adapters: AdaptersMap) -> AdaptersMap:
    """Return a copy of the map for connections, with `WideIntDumper`."""
    copy = AdaptersMap(adapters)
    copy.register_dumper(int, WideIntDumper)
    return copy
