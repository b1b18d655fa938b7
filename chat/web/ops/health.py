"""Answer health checks: is the process alive, and can it take work?"""

import asyncio

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.database import threads
from chat.generations.process import server_process
from chat.generations.process.load_shedding import overload_reason
from chat.generations.process.server_process import ServerProcess
from chat.lib import disk

DATABASE_SECONDS = 1.0

_migrated = False  # stays True: tables do not disappear from a running process


@require_safe
async def alive(request: HttpRequest) -> HttpResponse:
    """Return 200 while the process responds."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
async def ready(request: HttpRequest) -> JsonResponse:
    """Report whether new work may be sent here. `overloaded` names a temporary overload."""
    here = server_process.current()
    database = await _database()
    if database == "ok" and not here.draining:
        database = await _writing(here)
    is_full = disk.is_full(settings.DATA_DIR, settings.MIN_FREE_BYTES)
    is_ready = database == "ok" and not here.draining and not is_full
    facts = {
        "ready": is_ready,
        "database": database,
        "disk": "full" if is_full else "ok",
        "draining": here.draining,
        "overloaded": overload_reason(here),
    }
    return JsonResponse(facts, status=200 if is_ready else 503)


async def _database() -> str:
    """Return `ok`, or one word for the problem."""
    try:
        async with asyncio.timeout(DATABASE_SECONDS):
            return await threads.readers.run(_look)
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
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return "ok" if _migrated else "not migrated"
