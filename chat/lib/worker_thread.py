"""Run long calculations in a thread, one after the other, to keep the event loop responsive.

Python runs other threads between the steps of such a call, but not within a single one, such as the
decoding of a document. So a long calculation should have many short steps. One that may take more
than a moment is a generator, which `off_loop_in_steps` runs: all others have their turn in between.
"""

import asyncio
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
#: A calculation that pauses at each `yield`, and returns its result.
Steps = Generator[None, None, T]

#: So long, a generator may go on before others have their turn.
STEP_SECONDS = 0.05
#: A single thread: several would hold the event loop up more often.
_worker = ThreadPoolExecutor(1, thread_name_prefix="runnel-worker")


async def off_loop(call: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Return what `call` returns; calls wait for those before them."""
    context = copy_context()
    work = partial(context.run, partial(call, *args, **named))
    return await asyncio.get_running_loop().run_in_executor(_worker, work)


async def off_loop_in_steps(steps: Steps[T]) -> T:
    """Return what the generator returns; calls that come meanwhile don't wait for its end.

    For a person's work, use `fair_work.in_steps`.
    """
    results: list[T] = []
    while not results:
        await off_loop(_go_on, steps, results)
    return results[0]


def finished(steps: Steps[T]) -> T:
    """Return what the generator returns, without a pause, for callers that hold up nobody."""
    results: list[T] = []
    while not results:
        _go_on(steps, results)
    return results[0]


def _go_on(steps: Steps[T], results: list[T]) -> None:
    until = time.monotonic() + STEP_SECONDS
    try:
        next(steps)
        while time.monotonic() < until:
            next(steps)
    except StopIteration as stop:
        results.append(stop.value)
