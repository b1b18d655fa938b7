"""Start tasks whose results nobody awaits."""

import asyncio
from collections.abc import Coroutine
from contextvars import Context


class BackgroundTasks:
    """Tasks of one kind. They are kept until they end: the loop only has weak references."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    @property
    def are_done(self) -> bool:
        return not self._running

    def start(self, work: Coroutine[None, None, None], context: Context | None = None) -> None:
        """Start a task, in a copy of the caller's context or in the given one."""
        task = asyncio.create_task(work, context=context)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def until_done(self) -> None:
        """Wait for what is running."""
        await asyncio.gather(*self._running)
