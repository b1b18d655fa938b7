"""Await work that goes on if its caller is cancelled, as when a client disconnects."""

import asyncio
import logging
from typing import Any, TypeVar

from chat.errors import ChatError

log = logging.getLogger(__name__)
T = TypeVar("T")


async def result_of(task: asyncio.Task[T]) -> T:
    """Return the result of `task`, which goes on if the caller is cancelled.

    After a cancellation, a `ChatError` is dropped; any other error is logged.
    """
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_log_error)
        raise


def _log_error(task: asyncio.Task[Any]) -> None:
    error = None if task.cancelled() else task.exception()
    if error and not isinstance(error, ChatError):
        log.error("work failed after its caller had left", exc_info=error)
