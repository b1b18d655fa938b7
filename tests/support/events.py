"""Waiting until something has happened, and no longer: never for a while in which it should have."""

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from chat.generations.task.task import GenerationTask
from tests.support.following import live

PATIENCE_SECONDS = 60  # beside whatever else the machine does
PAUSE_SECONDS = 0.005


async def until(condition: Callable[[], Any]) -> Any:
    """Return what `condition` finds, once that is something; it may be asynchronous."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            found = condition()
            if inspect.isawaitable(found):
                found = await found
            if found:
                return found
            await asyncio.sleep(PAUSE_SECONDS)


async def written(response: Any, frames: int = 2) -> GenerationTask:
    """Return the answer of this response once it has so many frames; it is still being written."""
    generation = live(response)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(generation.log) < frames:
            await generation.log.wait(len(generation.log), PATIENCE_SECONDS)
    return generation
