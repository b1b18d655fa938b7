"""Register this process in the database with a heartbeat, and close what dead processes left."""

import hashlib
import os
import socket
from datetime import timedelta

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from chat.conversations import drafts
from chat.database.housekeeping import delete_all, isolated, left_out
from chat.database.identity import database_identity
from chat.generations.models import Generation, LogPage, Worker
from chat.generations.storage.checkpoint import close_from_pages
from chat.lib import metrics, process_identity
from chat.quotas import ledger

BEAT_SECONDS = 2.0
DEAD_AFTER_SECONDS = 10.0
GENERATIONS = Generation._meta.db_table


def register() -> Worker:
    """Insert a row for this process."""
    pid = os.getpid()
    worker = Worker.objects.create(
        host=socket.gethostname(),
        pid=pid,
        process_started=process_identity.started(pid),
        pid_scope=_pid_scope(),
        heartbeat_at=Now(),
    )
    process_identity.worker_id = worker.pk
    return worker


def register_again(worker: Worker) -> None:
    """Insert the row of this process again, with the same key, to which charges point."""
    worker.heartbeat_at = Now()
    worker.save(force_insert=True)


def record_heartbeat(worker: Worker) -> bool:
    """Update the heartbeat of `worker`; return False if another process took it for dead."""
    return bool(Worker.objects.filter(pk=worker.pk).update(heartbeat_at=Now()))


def unregister(worker: Worker) -> None:
    """Remove the row of a process that has stopped."""
    if process_identity.worker_id == worker.pk:
        process_identity.worker_id = None
    Worker.objects.filter(pk=worker.pk).delete()


def close_orphans(*, by_heartbeat: bool = True) -> int:
    """End the generations of dead workers as `interrupted`; return how many there were.

    Without `by_heartbeat`, only workers whose pid is gone count as dead.
    """
    dead = _dead_workers(by_heartbeat=by_heartbeat)
    return _close(dead)


def close_all() -> int:
    """Do the same for all workers, of a database that no process uses."""
    return _close(list(Worker.objects.all()))


def _close(dead: list[Worker]) -> int:
    left = Q(worker__in=dead) | Q(worker=None)
    orphans = Generation.objects.filter(left, state=Generation.State.RUNNING)
    closed = 0
    for each in orphans.exclude(pk__in=left_out(GENERATIONS)):
        with isolated(GENERATIONS, each.pk):
            closed += close_from_pages(each, "interrupted")
    for _answer in range(closed):  # its own process is gone, and with it its metrics
        metrics.record_answer("interrupted", 0, 0, None)
    for worker in dead:
        unregister(worker)
    living = list(Worker.objects.values_list("pk", flat=True))
    ledger.settle_orphans(living)
    drafts.abandon_all_but(living)
    return closed


def prune(keep_seconds: float) -> int:
    """Delete the logs of generations that ended more than `keep_seconds` ago.

    Return the number of pages deleted.
    """
    before = timezone.now() - timedelta(seconds=keep_seconds)
    # From the pages to their generations: those that ever were are many more.
    ended = Generation.objects.filter(pk=OuterRef("generation_id"), ended_at__lt=before)
    return delete_all(LogPage.objects.filter(Exists(ended), written_at__lt=before))


def _dead_workers(*, by_heartbeat: bool) -> list[Worker]:
    """Return the workers that are dead: by their pid if it can be looked up, else by heartbeat."""
    scope = _pid_scope()
    here = Q(pid_scope=scope) if scope else Q(pk__in=[])
    gone = [worker for worker in Worker.objects.filter(here) if _is_gone(worker)]
    if not by_heartbeat:
        return gone
    silent = Q(heartbeat_at__lt=Now() - timedelta(seconds=DEAD_AFTER_SECONDS))
    return gone + list(Worker.objects.filter(silent).exclude(here))


def _pid_scope() -> str:
    """Return a digest of where this process's pid counts; empty if pids cannot be looked up.

    Besides the PID namespace that is the database: a row in a restored copy describes a process
    that uses the original.
    """
    if not (namespace := process_identity.pid_namespace()):
        return ""
    return hashlib.sha256(f"{namespace} {database_identity()}".encode()).hexdigest()


def _is_gone(worker: Worker) -> bool:
    """Return whether the worker's pid is gone or belongs to another process."""
    return process_identity.started(worker.pid) != worker.process_started
