"""Run long calculations in a thread, one after the other, to keep the event loop responsive.

Python runs other threads between the steps of such a call, but not within a single one, such as the
decoding of a document. So a long calculation should have many short steps.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

#: A single thread: several would hold the event loop up more often.
_worker = ThreadPoolExecutor(1, thread_name_prefix="runnel-worker")


async def off_loop(call: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Return what `call` returns; calls wait for those before them."""
    context = copy_context()
    work = partial(context.run, partial(call, *args, **named))
    return await asyncio.get_running_loop().run_in_executor(_worker, work)
