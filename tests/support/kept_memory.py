"""Measure what is left in memory after some work, before cycles are collected.

A server collects cycles rarely. A file in one, such as that of an error and a frame whose variable
it is, stays in memory until then, and many files add up to more than the machine has.
"""

import gc
import tracemalloc
from collections.abc import Awaitable, Callable


async def kept_bytes(work: Callable[[], Awaitable[object]]) -> int:
    """Return how much more memory is used after the work. Its first run only loads things."""
    await work()
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        await work()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
        gc.enable()
