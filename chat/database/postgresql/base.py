"""Django's backend for PostgreSQL, which gives up soon when the server is away or silent.

Django finds the class by the name of this module (`ENGINE` in project/config/databases.py).
"""

from functools import cache
from typing import Any

from django.db.backends.postgresql import base
from psycopg.adapt import AdaptersMap, Dumper, PyFormat
from psycopg.types.numeric import IntDumper

from chat.database.postgresql import availability

#: How long to wait for a connection while new ones fail.
AWAY_CHECKOUT_SECONDS = 0.2
#: The formats of times that psycopg reads.
STYLES = {"DateStyle": "ISO", "IntervalStyle": "postgres"}

INT4_END = 2**31


class WideIntDumper(IntDumper):
    """Send integers as `int4` instead of `int2`; PostgreSQL converts them where it wants less.

    psycopg chooses the smallest type for each number. A statement with many numbers then has many
    forms, and hardly ever the one that was prepared.
    """

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


class DatabaseWrapper(base.DatabaseWrapper):
    """Check connections out of the pool, in bounded time."""

    def get_connection_params(self) -> dict[str, Any]:
        params = super().get_connection_params()
        params["context"] = with_wide_integers(params["context"])
        return params

    def _configure_connection(self, connection: Any) -> bool:
        """Set what psycopg needs to read times, whatever the database's or role's settings are."""
        is_changed: bool = super()._configure_connection(connection)  # type: ignore[misc]
        for name, style in STYLES.items():
            if not str(connection.info.parameter_status(name) or style).startswith(style):
                with connection.cursor() as cursor:
                    cursor.execute(f"SET {name} TO {style}")
                is_changed = True
        return is_changed

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection; raise `OperationalError` or `PoolTimeout` if there is none in time.

        While the server is away, each caller would wait for the pool's timeout, one after another
        if they share a thread. The pool keeps trying in the background.
        """
        pool = self.pool
        if pool is None:
            return super().get_new_connection(conn_params)
        try:
            if not availability.is_away():
                connection = super().get_new_connection(conn_params)
            else:
                pool.open()
                connection = pool.getconn(timeout=AWAY_CHECKOUT_SECONDS)
        finally:
            if availability.take_silence():
                pool.drain()  # the idle connections most likely are as silent
        connection.timeout_seconds = self.settings_dict.get("ANSWER_TIMEOUT_SECONDS")
        return connection

    def _close(self) -> None:
        connection = self.connection
        if connection is not None and self.pool is not None:
            connection.timeout_seconds = connection.CHECK_SECONDS
        super()._close()  # type: ignore[misc]
