"""Register this process in the database with a heartbeat, and close what dead processes left."""

import os
import socket
from datetime import timedelta
from pathlib import Path

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from chat.generations.models import Generation, LogPage, Worker
from chat.generations.storage.checkpoint import close_from_pages
from chat.quotas import ledger

BEAT_SECONDS = 2.0
DEAD_AFTER_SECONDS = 10.0


def register() -> Worker:
    """Insert a row for this process."""
    return Worker.objects.create(
        host=socket.gethostname(), pid=os.getpid(), process_started=_process_started(os.getpid())
    )


def record_heartbeat(worker: Worker) -> bool:
    """Update the heartbeat of `worker`; return False if another process took it for dead."""
    return bool(Worker.objects.filter(pk=worker.pk).update(heartbeat_at=Now()))


def unregister(worker: Worker) -> None:
    """Remove the row of a process that has stopped."""
    Worker.objects.filter(pk=worker.pk).delete()


def close_orphans() -> int:
    """End the generations of dead workers as `interrupted`; return how many there were."""
    silent = Q(heartbeat_at__lt=Now() - timedelta(seconds=DEAD_AFTER_SECONDS))
    here = Q(host=socket.gethostname())
    dead = [worker for worker in Worker.objects.filter(here) if _is_gone(worker)]
    dead += Worker.objects.filter(silent).exclude(here)
    left = Q(worker__in=dead) | Q(worker=None)
    orphans = Generation.objects.filter(left, state=Generation.State.RUNNING)
    closed = sum(close_from_pages(each, "interrupted") for each in orphans)
    for worker in dead:
        unregister(worker)
    ledger.settle_orphans(list(Worker.objects.values_list("pk", flat=True)))
    return closed


def prune(keep_seconds: float) -> int:
    """Delete the logs of generations that ended more than `keep_seconds` ago.

    Return the number of pages deleted.
    """
    before = timezone.now() - timedelta(seconds=keep_seconds)
    # From the pages to their generations: those that ever were are many more.
    ended = Generation.objects.filter(pk=OuterRef("generation_id"), ended_at__lt=before)
    count, _ = LogPage.objects.filter(Exists(ended), written_at__lt=before).delete()
    return count


def _is_gone(worker: Worker) -> bool:
    """Return whether the worker's pid on this host is gone or belongs to another process."""
    return _process_started(worker.pid) != worker.process_started


def _process_started(pid: int) -> str:
    """Return the start time of a process in kernel ticks; empty if it does not exist.

    Return "alive" for an existing process where there is no /proc.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return _alive_without_proc(pid)
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else fields[19]


def _alive_without_proc(pid: int) -> str:
    if Path("/proc/self").exists():
        return ""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return ""
    except PermissionError:
        pass
    return "alive"
