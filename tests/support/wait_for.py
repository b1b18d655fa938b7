"""Wait until something has happened, instead of for a fixed time."""

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from chat.generations.task.task import GenerationTask
from tests.support.generations.follow import live
from tests.support.patience import PATIENCE_SECONDS

PAUSE_SECONDS = 0.005


async def until(condition: Callable[[], Any]) -> Any:
    """Return the first truthy result of `condition`, which may be asynchronous."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            found = condition()
            if inspect.isawaitable(found):
                found = await found
            if found:
                return found
            await asyncio.sleep(PAUSE_SECONDS)


async def written(response: Any, frames: int = 2) -> GenerationTask:
    """Return the running answer of this response, once it has that many frames."""
    generation = live(response)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(generation.log) < frames:
            await generation.log.wait(len(generation.log), PATIENCE_SECONDS)
    return generation
