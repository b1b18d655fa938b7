"""Make large writes in small steps, so that other writes do not wait long.

The work is a generator that yields between its transactions. Each step queues for the writer's
thread like any other write, and after each, others have as much time as it took.
"""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _

from chat.database import threads
from chat.database.detached import result_of
from chat.errors import Conflict
from chat.lib import trace
from chat.lib.limits import FairQueues

T = TypeVar("T")

MIN_PAUSE_SECONDS = 0.005

MAX_EDITS = 8  # waiting, per member

_edits = FairQueues("edits", MAX_EDITS)
_tasks: set[asyncio.Task[Any]] = set()
_running: dict[int, asyncio.Task[Any]] = {}  # by user


class BulkWriteRunning(Conflict):
    """The user already has a copy or import running."""

    code = "bulk_write_running"
    text = _("A chat is still being copied or imported. Wait for it to finish.")
    retryable = True


async def run_exclusively(user_id: int, work: Coroutine[Any, Any, T]) -> T:
    """Run `work` and return its result; it continues if the caller is cancelled.

    Raise `BulkWriteRunning` if the user already has one running.
    """
    if user_id in _running:
        work.close()
        raise BulkWriteRunning
    task = asyncio.create_task(work, context=trace.fresh_context())
    _running[user_id] = task
    task.add_done_callback(lambda _: _running.pop(user_id, None))
    return await result_of(task)


async def run_queued(user_id: int, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run `work` after what the same user queued before, and return its result.

    It continues if the caller is cancelled. Raise `RateLimitExceeded` if too much of their work is
    waiting.
    """

    async def done() -> T:
        async with _edits.turn(str(user_id)):
            return await work()

    task = asyncio.create_task(done(), context=trace.fresh_context())
    _tasks.add(task)  # the loop only holds a weak reference
    task.add_done_callback(_tasks.discard)
    return await result_of(task)


async def run_in_steps(steps: Generator[None, None, T]) -> T:
    """Run all steps in the writer's thread; return the generator's result."""
    clock = asyncio.get_running_loop().time
    while True:
        began = clock()
        outcome: list[T] = await threads.writer.run(_step, steps)
        if outcome:
            return outcome[0]
        await asyncio.sleep(max(MIN_PAUSE_SECONDS, clock() - began))


def _step(steps: Generator[None, None, T]) -> list[T]:
    """Return an empty list if there is more to do, else a list with the result."""
    try:
        next(steps)
    except StopIteration as end:
        return [end.value]
    return []
