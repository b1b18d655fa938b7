"""Do at once what server processes do bit by bit: delete what is due, and catch up on other work.

It may run while the site does: each step is a small transaction, and any process may do it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection

from chat.conversations.branches import remove_deleted
from chat.conversations.retention import expiry
from chat.database import housekeeping
from chat.database.housekeeping import TASK, isolated, name_of
from chat.generations.deletion import purge
from chat.generations.process import server_process, workers
from chat.widget_sites import cleanup

DELETE = re.compile(r'\s*DELETE FROM "?(\w+)"?', re.IGNORECASE)


def prune() -> Counter[str]:
    """Delete everything that is due; return how many rows of which tables.

    Other periodic work of the site is done as well: days are sealed and counted, expired
    suspensions end, long messages are indexed. What fails is skipped, and counted in
    `housekeeping.failing()` afterwards.
    """
    housekeeping.forget_failures()
    with _counted() as deleted:
        workers.prune(settings.LOG_KEEP_SECONDS)
        _repeat(lambda: remove_deleted(settings.UNDO_SECONDS), deleted)
        _repeat(cleanup.remove_expired, deleted)
        while expiry.apply():
            pass
        for _more in purge.steps():
            pass
        for task in server_process.tasks_at_any_time + server_process.periodic_tasks:
            with isolated(TASK, name_of(task)):
                _repeat(task, deleted)
        while sum(map(_run, server_process.background_jobs)):
            pass
    return deleted


def _run(job: Callable[[], bool]) -> bool:
    with isolated(TASK, name_of(job)):
        return bool(job())
    return False  # it failed


def _repeat(task: Callable[[], object], deleted: Counter[str]) -> None:
    """Run a task, which may delete a batch only, until it deletes nothing."""
    before = -1
    while before < (before := deleted.total()):
        task()


@contextmanager
def _counted() -> Iterator[Counter[str]]:
    """Count the rows that statements of this thread delete."""
    deleted: Counter[str] = Counter()

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if statement := DELETE.match(str(sql)):
            deleted[statement[1]] += max(0, context["cursor"].rowcount)
        return result

    with connection.execute_wrapper(count):
        yield deleted
