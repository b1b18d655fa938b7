"""Do several things at the same time, each on a database connection of its own."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection, connections

from chat.errors import ChatError
from tests.support.patience import PATIENCE_SECONDS

T = TypeVar("T")


def all_at_once(attempts: Sequence[Callable[[], T]]) -> list[T | ChatError]:
    """Return the results, or errors, of all attempts."""
    start = threading.Barrier(len(attempts))

    def attempt(call: Callable[[], T]) -> T | ChatError:
        try:
            connection.ensure_connection()
            start.wait(timeout=PATIENCE_SECONDS)
            return call()
        except ChatError as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(attempts)) as threads:
        return list(threads.map(attempt, attempts))
