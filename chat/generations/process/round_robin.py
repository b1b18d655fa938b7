"""Run background jobs of other packages in turns, one small step each."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from chat.database import threads
from chat.database.housekeeping import isolated_task

BETWEEN_BATCHES_SECONDS = 0.02  # after each batch, so that others can use the database


async def run_round_robin(
    steps: Sequence[Callable[[], bool]], seconds: float, quiet: Callable[[], Awaitable[None]]
) -> None:
    """Run all steps, then those that have more to do in turns, until none has.

    A step is repeated when it is `quiet`. If that goes on for so many `seconds`, the others get a
    turn again.
    """
    clock = asyncio.get_running_loop().time
    waiting, all_again_at = list(steps), clock() + seconds
    while waiting:
        waiting = [step for step in waiting if await _has_more(step)]
        await asyncio.sleep(BETWEEN_BATCHES_SECONDS)
        if waiting:
            await quiet()
        if waiting and clock() >= all_again_at:
            waiting, all_again_at = list(steps), clock() + seconds


async def _has_more(step: Callable[[], bool]) -> bool:
    with isolated_task(step):
        return await threads.readers.run(step)
    return False
