"""Measure how long single steps hold the event loop, in processor time, so load doesn't matter."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


class LoopHold:
    """The longest step so far, and what ran in it."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.what = ""

    def note(self, seconds: float, what: object) -> None:
        if seconds > self.seconds:
            self.seconds, self.what = seconds, repr(what)[:300]


@contextmanager
def measured_loop() -> Iterator[LoopHold]:
    """Measure the steps of the loops of this thread."""
    hold = LoopHold()
    run = asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> Any:
        before = time.thread_time()
        try:
            return run(handle)
        finally:
            hold.note(time.thread_time() - before, handle)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.Handle, "_run", timed)
        yield hold
