"""Answer health checks: is the process alive, and can it take work?"""

import asyncio
from collections.abc import Callable

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.database import threads
from chat.database.migration_state import migration_state
from chat.generations.process import server_process
from chat.generations.process.load_shedding import overload_reason
from chat.generations.process.server_process import ServerProcess
from chat.lib import disk

DATABASE_SECONDS = 1.0
#: For the only writer, which may be at work.
WRITER_SECONDS = 2.0

_migrated = False  # stays True: tables do not disappear from a running process
_checking: asyncio.Task[tuple[str, str]] | None = None


@require_safe
async def alive(request: HttpRequest) -> HttpResponse:
    """Return 200 while the process responds."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
async def ready(request: HttpRequest) -> JsonResponse:
    """Report whether new work may be sent here. `overloaded` names a temporary overload."""
    here = server_process.current()
    database, writer = await _shared_check(here)
    is_full = disk.is_full(settings.DATA_DIR, settings.MIN_FREE_BYTES)
    is_ready = database == writer == "ok" and not here.draining and not is_full
    facts = {
        "ready": is_ready,
        "database": database,
        "writer": writer,
        "disk": "full" if is_full else "ok",
        "draining": here.draining,
        "overloaded": overload_reason(here),
    }
    here.readiness_checks.record()
    response = JsonResponse(facts, status=200 if is_ready else 503)
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django would log an error
    return response


async def _shared_check(here: ServerProcess) -> tuple[str, str]:
    """Check once for everybody who asks meanwhile, as this address has no rate limit."""
    global _checking
    loop = asyncio.get_running_loop()
    if _checking is None or _checking.done() or _checking.get_loop() is not loop:
        _checking = asyncio.create_task(_check(here))
    return await asyncio.shield(_checking)


async def _check(here: ServerProcess) -> tuple[str, str]:
    """Return the states of the database and of the writer."""
    database, writer = await asyncio.gather(
        _look_within(threads.readers, _look, DATABASE_SECONDS),
        _look_within(threads.writer, _look_for_writing, WRITER_SECONDS),
    )
    if writer == "ok" and not here.draining:
        writer = await _writing(here)
    return database, writer


async def _look_within(
    those: threads.DatabaseThreads, look: Callable[[], str], timeout_seconds: float
) -> str:
    """Return `ok`, or words for the problem that `look` finds in one of those threads."""
    try:
        async with asyncio.timeout(timeout_seconds):
            return await those.run(look)
    except TimeoutError:
        return "slow"
    except DatabaseError:
        return "unreachable"


async def _writing(here: ServerProcess) -> str:
    """Return `ok` if this process could write its heartbeat lately, or for the first time now."""
    starting = asyncio.create_task(here.start())
    starting.add_done_callback(lambda task: task.cancelled() or task.exception())
    try:
        async with asyncio.timeout(DATABASE_SECONDS):
            await asyncio.shield(starting)  # one that waits for a lock goes on
    except (TimeoutError, DatabaseError):
        return "not writable"
    return "ok" if here.can_write else "not writable"


def _look() -> str:
    global _migrated
    connection = connections[DEFAULT_DB_ALIAS]
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    if not _migrated:
        _migrated = not migration_state().missing
    return "ok" if _migrated else "not migrated"


def _look_for_writing() -> str:
    """Take part in the writer's queue, and begin a transaction that could write."""
    connection = connections[DEFAULT_DB_ALIAS]
    with transaction.atomic():  # on SQLite it takes the write lock
        if connection.vendor != "postgresql":
            return "ok"
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_read_only")  # on a standby, too
            return "ok" if cursor.fetchone() == ("off",) else "read only"
