"""A connection to PostgreSQL that is closed if the server does not answer in time.

A server that is switched off, or a proxy that loses its server, may close nothing: the connection
stays open and silent. TCP cannot tell if somebody between still acknowledges, and a statement
timeout needs a server that works. Without a limit of our own, each thread that waits for such a
connection would wait for good.
"""

from typing import Any, ClassVar

from psycopg import Connection, OperationalError
from psycopg.errors import _WaitTimeout

from chat.database.postgresql import availability


class ConnectionWithTimeout(Connection[Any]):
    """Wait at most `timeout_seconds` for the server; None: without limit.

    In the pool, where connections are only set up and checked, the limit is short.
    """

    CHECK_SECONDS: ClassVar[float] = 2.0
    timeout_seconds: float | None = CHECK_SECONDS

    @classmethod
    def connect(cls, conninfo: str = "", **options: Any) -> "ConnectionWithTimeout":
        try:
            made = super().connect(conninfo, **options)
        except OperationalError:
            availability.note_failure()
            raise
        availability.note_success()
        return made

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval, self.timeout_seconds if timeout is None else timeout)
        except _WaitTimeout:
            if timeout is not None:
                raise
            self.close()
            availability.note_silence()
            raise OperationalError("the database server does not answer") from None
