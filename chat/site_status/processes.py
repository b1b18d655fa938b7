"""List the server processes, and what the one that answers does."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Count, DateTimeField, ExpressionWrapper, Q
from django.db.models.functions import Now

from chat.generations.models import Generation, Worker
from chat.generations.process import server_process
from chat.generations.process.load_shedding import overload_reason
from chat.generations.process.workers import DEAD_AFTER_SECONDS
from chat.generations.task import registry
from chat.lib import metrics


@dataclass(frozen=True, slots=True)
class Utilisation:
    """What a process does, and its limit; a limit of 0 means none."""

    now: float
    limit: float


@dataclass(frozen=True, slots=True)
class ThisProcess:
    """The process that answers the request."""

    worker_id: int | None
    draining: bool
    overload: str  # the limit that is reached, or empty
    running: Utilisation
    streams: Utilisation
    lag_seconds: Utilisation
    flush_delay_seconds: Utilisation
    refused: dict[str, int]  # by reason, since it started


@dataclass(frozen=True, slots=True)
class ProcessStatus:
    """A server process, by what the database knows."""

    worker_id: int
    host: str
    pid: int
    silent_seconds: float
    running: int

    @property
    def is_silent(self) -> bool:
        return self.silent_seconds > DEAD_AFTER_SECONDS


def this_process() -> ThisProcess:
    """Return what the running event loop's process does."""
    here = server_process.current()
    return ThisProcess(
        worker_id=here.worker.pk if here.worker else None,
        draining=here.draining,
        overload=overload_reason(here),
        running=Utilisation(registry.running_count(), settings.MAX_RUNNING_ANSWERS),
        streams=Utilisation(len(here.subscribers), settings.MAX_OPEN_STREAMS),
        lag_seconds=Utilisation(here.loop_lag.lag_seconds, settings.MAX_LAG_SECONDS),
        flush_delay_seconds=Utilisation(
            here.log_writer.backlog_seconds, settings.MAX_FLUSH_DELAY_SECONDS
        ),
        refused=metrics.refused_by_reason(),
    )


def processes() -> list[ProcessStatus]:
    """Return all registered processes, by the clock of the database."""
    is_running = Q(generation__state=Generation.State.RUNNING)
    now = ExpressionWrapper(Now(), output_field=DateTimeField())
    workers = Worker.objects.annotate(running=Count("generation", filter=is_running), now=now)
    return [
        ProcessStatus(each.pk, each.host, each.pid, _since(each), each.running)
        for each in workers.order_by("host", "pid")
    ]


def _since(worker: Worker) -> float:
    now: datetime = worker.now  # type: ignore[attr-defined]  # the annotation
    return max(0.0, (now - worker.heartbeat_at).total_seconds())
