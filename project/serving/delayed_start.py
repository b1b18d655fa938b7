"""Start a server process even while the database is away.

It answers 503 then, which pages and programs repeat, instead of leaving their requests to a proxy
that finds nobody. As soon as the database is back, it is ready.
"""

import asyncio
import logging

from django.db import DatabaseError, InterfaceError

from chat.database import threads
from chat.database.errors import error_for
from chat.database.migration_state import migration_state
from chat.database.unusable_database import find_problem
from chat.generations.process import server_process

log = logging.getLogger(__name__)

TRY_AGAIN_SECONDS = 1.0

_waiting: set[asyncio.Task[None]] = set()  # the loop only keeps weak references to tasks


async def start_when_possible() -> str:
    """Start now, or as soon as the database can be used.

    Return why that will never be, in words; empty otherwise.
    """
    try:
        await server_process.current().start()
    except (DatabaseError, InterfaceError) as error:
        if error_for(error) is None:
            return await _words_for_a_mistake(error)
        log.error("not ready: %s", await asyncio.to_thread(find_problem) or type(error).__name__)
        task = asyncio.create_task(_start_later())
        _waiting.add(task)
        task.add_done_callback(_waiting.discard)
    return ""


async def _start_later() -> None:
    here = server_process.current()
    while here.worker is None and not here.shutting_down:
        await asyncio.sleep(TRY_AGAIN_SECONDS)
        try:
            await here.start()
        except (DatabaseError, InterfaceError):
            continue
        log.info("the database can be used; this process is ready")


async def _words_for_a_mistake(error: Exception) -> str:
    """Explain an error that no waiting ends; usually tables are missing."""
    try:
        missing = (await threads.readers.run(migration_state)).missing
    except (DatabaseError, InterfaceError):
        missing = []
    if missing:
        return f"{len(missing)} migrations are not applied. Run: manage.py migrate"
    return f"the database can't be used: {type(error).__name__}: {error}"
