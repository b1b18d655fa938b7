"""Count the statements that a piece of work sends to the database."""

from collections.abc import Callable

from django.db import connection
from django.test.utils import CaptureQueriesContext


def statements(work: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        work()
    return len(queries)
