"""Limit the time that a search may use the database.

FTS5 reads a whole message between two rows, so the time is checked inside statements too.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection, transaction

from chat.conversations.errors import SearchTooLong

SEARCH_SECONDS = 3.0
INSTRUCTIONS_BETWEEN_LOOKS = 100  # of SQLite's virtual machine
CANCELED_STATE = "57014"  # PostgreSQL's query_canceled


class Deadline:
    """The time by which a search must end."""

    def __init__(self) -> None:
        self._ends_at = time.monotonic() + SEARCH_SECONDS

    @property
    def left_seconds(self) -> float:
        return self._ends_at - time.monotonic()

    def is_over(self) -> bool:
        return self.left_seconds <= 0

    def require(self) -> None:
        if self.is_over():
            raise SearchTooLong


@contextmanager
def time_limit() -> Iterator[Deadline]:
    """Raise `SearchTooLong` if the statements inside take longer than a search may."""
    deadline = Deadline()
    limit = _on_postgres if connection.vendor == "postgresql" else _on_sqlite
    try:
        with limit(deadline):
            yield deadline
    except OperationalError as error:
        if not _is_interruption(error):
            raise
        raise SearchTooLong from error


@contextmanager
def _on_sqlite(deadline: Deadline) -> Iterator[None]:
    connection.ensure_connection()
    raw = connection.connection
    raw.set_progress_handler(deadline.is_over, INSTRUCTIONS_BETWEEN_LOOKS)
    try:
        yield
    finally:
        if connection.connection is raw:
            raw.set_progress_handler(None, 0)


@contextmanager
def _on_postgres(deadline: Deadline) -> Iterator[None]:
    """Limit each statement to the time left; the end of the transaction ends the limit."""

    def limited(
        execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
    ) -> Any:
        deadline.require()
        left_ms = max(1, int(1000 * deadline.left_seconds))
        execute(f"SET LOCAL statement_timeout = {left_ms}", None, False, context)
        return execute(sql, params, many, context)

    with transaction.atomic():
        with connection.execute_wrapper(limited):
            yield
        if connection.needs_rollback:
            return
        with connection.cursor() as cursor:
            # In case it is not the outermost transaction.
            cursor.execute("SET LOCAL statement_timeout = DEFAULT")


def _is_interruption(error: OperationalError) -> bool:
    state = getattr(error.__cause__, "sqlstate", None)
    return state == CANCELED_STATE or str(error) == "interrupted"
