"""Refuse new work before the process is overloaded.

Running answers go on: only requests that would start something new are checked (overload.py).
Reading, stopping and resuming are always possible, because they end work or cost little.
"""

import random

from django.conf import settings

from chat.database.errors import RETRY_SECONDS, DatabaseUnavailable, DiskFull
from chat.errors import Overloaded
from chat.generations.process.server_process import ServerProcess
from chat.generations.task import registry
from chat.lib import disk, metrics

#: Bounds of the random retry delay: if all clients came back together, so would the overload.
RETRY_AFTER_SECONDS = (2.0, 6.0)
DISK = "disk"
FLUSH_DELAY = "flush_delay"


def require_capacity(here: ServerProcess) -> None:
    """Raise `Overloaded` if the process is at a limit.

    If the cause is the database or its disk, raise that `DatabaseUnavailable` error instead: the
    process has room as soon as the database is back, so clients repeat the request for longer.
    """
    reason = overload_reason(here)
    if not reason:
        return
    metrics.record_shed(reason)
    if kind := _database_error(here, reason):
        raise kind(retry_after_seconds=RETRY_SECONDS[kind])
    raise Overloaded(detail=reason, retry_after_seconds=random.uniform(*RETRY_AFTER_SECONDS))


def _database_error(here: ServerProcess, reason: str) -> type[DatabaseUnavailable] | None:
    if reason == DISK:
        return DiskFull
    return here.log_writer.database_error if reason == FLUSH_DELAY else None


def overload_reason(here: ServerProcess) -> str:
    """Return the name of the limit that is reached; empty if none is.

    A setting of 0 means no limit.
    """
    if disk.is_full(settings.DATA_DIR, settings.MIN_FREE_BYTES):
        return DISK
    measured = (
        ("running_answers", registry.running_count(), settings.MAX_RUNNING_ANSWERS),
        ("open_streams", len(here.subscribers), settings.MAX_OPEN_STREAMS),
        ("event_loop_lag", here.loop_lag.lag_seconds, settings.MAX_LAG_SECONDS),
        (FLUSH_DELAY, here.log_writer.backlog_seconds, settings.MAX_FLUSH_DELAY_SECONDS),
    )
    for name, value, limit in measured:
        if limit and value >= limit:
            return name
    return ""
