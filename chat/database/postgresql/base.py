"""Django's backend for PostgreSQL, which gives up soon when the server is away or silent.

Django finds the class by the name of this module (`ENGINE` in project/config/databases.py).
"""

from typing import Any

from django.db.backends.postgresql import base

from chat.database.postgresql import availability
from chat.database.postgresql.integers import with_wide_integers

#: How long to wait for a connection while new ones fail.
AWAY_CHECKOUT_SECONDS = 0.2


class DatabaseWrapper(base.DatabaseWrapper):
    """Check connections out of the pool, in bounded time."""

    def get_connection_params(self) -> dict[str, Any]:
        params = super().get_connection_params()
        params["context"] = with_wide_integers(params["context"])
        return params

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
