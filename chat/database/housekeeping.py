"""Keep one object that fails from stopping the housekeeping of all others.

What fails is left out for a pause, which doubles with each failure, and logged each time it is
tried again. Each process remembers its own failures. An unavailable database is raised instead: it
fails for all, and is no fault of the object.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import QuerySet

from chat.database.errors import DatabaseBusy, error_for
from chat.lib import metrics
from chat.lib.limits import doubled

log = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 60.0
LONGEST_PAUSE_SECONDS = 6 * 3600.0
#: What was not tried again for this long after its pause is gone: another process finished it.
FORGOTTEN_AFTER_SECONDS = 3600.0
#: Failing objects of one task that are left out; more would make its queries too long.
MAX_LEFT_OUT = 1_000
#: Rows that are tried one by one after all together failed.
SINGLY_AT_ONCE = 200
#: The kind of failures of whole tasks.
TASK = "task"


class TooManyFailures(Exception):
    """So many objects fail that the cause is none of them."""


@dataclass(slots=True)
class IsolatedWork:
    """The object at work. Its key may be set once it is known, before which errors are raised."""

    key: Any = None


@dataclass(slots=True)
class _Failure:
    count: int
    retry_at: float  # monotonic time


_failures: dict[tuple[str, Any], _Failure] = {}
_lock = threading.Lock()
_clock = time.monotonic


@contextmanager
def isolated(kind: str, key: Any = None) -> Iterator[IsolatedWork]:
    """Work on one object; note a failure, so that the next one has its turn.

    `kind` and `key` name it, usually a table and a primary key.
    """
    attempt = IsolatedWork(key)
    try:
        yield attempt
    except Exception as error:
        unavailable = error_for(error)
        if attempt.key is None or (unavailable and not isinstance(unavailable, DatabaseBusy)):
            raise
        was_due = _note(kind, attempt.key)
        if unavailable:  # only this one may be locked, or take too long: others are tried first
            raise
        metrics.record_housekeeping_failure(kind)
        if was_due:
            log.error("%s %s failed, will try again later: %s", kind, attempt.key, describe(error))
    else:
        with _lock:
            if _failures.pop((kind, attempt.key), None):
                _set_metric()


@contextmanager
def isolated_task(work: Callable[..., Any]) -> Iterator[None]:
    """Run a whole task. If it fails, the others run, and it is run again at its usual time.

    A task whose statement takes too long each time must not stop the others either.
    """
    name = name_of(work)
    try:
        with isolated(TASK, name):
            yield
    except Exception as error:
        if not isinstance(error_for(error), DatabaseBusy):
            raise
        log.warning("%s could not get through, will try again: %s", name, type(error).__name__)


def name_of(work: Callable[..., Any]) -> str:
    return f"{work.__module__.rpartition('.')[2]}.{work.__name__}"


def left_out(kind: str) -> list[Any]:
    """Return the keys of objects that are not to be tried now."""
    now = _clock()
    with _lock:
        forgotten = now - FORGOTTEN_AFTER_SECONDS
        for each in [each for each, failed in _failures.items() if failed.retry_at < forgotten]:
            del _failures[each]
        _set_metric()
        pausing = [each for each, failed in _failures.items() if failed.retry_at > now]
    keys = [key for name, key in pausing if name == kind]
    if len(keys) > MAX_LEFT_OUT:
        raise TooManyFailures(kind)
    return keys


def failing() -> dict[str, int]:
    """Return how many objects of each kind fail in this process."""
    counts: dict[str, int] = {}
    with _lock:
        for kind, _key in _failures:
            counts[kind] = counts.get(kind, 0) + 1
    return counts


def forget_failures() -> None:
    """Try everything again at once."""
    with _lock:
        _failures.clear()
        _set_metric()


def for_all(rows: QuerySet[Any], work: Callable[[QuerySet[Any]], int]) -> int:
    """Do something with all rows in one statement, or if that fails, with each by itself.

    Return what `work` returns, added up.
    """
    kind = rows.model._meta.db_table
    rows = rows.exclude(pk__in=left_out(kind))
    try:
        with transaction.atomic():
            return work(rows)
    except Exception as error:
        if error_for(error):
            raise
    done = 0
    for key in list(rows.values_list("pk", flat=True)[:SINGLY_AT_ONCE]):
        with isolated(kind, key), transaction.atomic():
            done += work(rows.filter(pk=key))
    return done


def delete_all(rows: QuerySet[Any]) -> int:
    """Delete all rows that can be deleted.

    Return how many were deleted, with those that refer to them.
    """
    return for_all(rows, lambda some: some.delete()[0])


def delete_batch(rows: QuerySet[Any], at_once: int) -> int:
    """Do the same for the first of these rows."""
    due = rows.exclude(pk__in=left_out(rows.model._meta.db_table))
    keys = list(due.values_list("pk", flat=True)[:at_once])
    return delete_all(rows.filter(pk__in=keys)) if keys else 0


def describe(error: Exception) -> str:
    """Return the kind of the error, with the database's first line, which quotes no row."""
    name = type(error).__name__
    if not isinstance(error, DatabaseError):
        return name
    return f"{name}: {str(error).partition(chr(10))[0]}"


def _note(kind: str, key: Any) -> bool:
    """Note a failure; return False if it was tried during its pause, as whole tasks are."""
    with _lock:
        failure = _failures.setdefault((kind, key), _Failure(0, 0.0))
        if _clock() < failure.retry_at:
            return False
        pause = doubled(FIRST_PAUSE_SECONDS, failure.count, LONGEST_PAUSE_SECONDS)
        failure.count += 1
        failure.retry_at = _clock() + pause
        _set_metric()
        return True


def _set_metric() -> None:
    metrics.housekeeping_failing.set(len(_failures))
