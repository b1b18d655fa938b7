"""One timer for all answers of a pace: a timer for each would cost more than what it measures."""

import asyncio
from collections.abc import Callable

Step = Callable[[], bool]
SLOT_SECONDS = 0.001


class Metronome:
    """Takes each step `rate` times a second, until it says that it was the last.

    The steps of a period are spread over slots of a millisecond, each in the one that it came in.
    Where the machine is late, what was due is made up for.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, rate: float) -> None:
        self._loop = loop
        self._slots: list[list[Step]] = [[] for _ in range(max(1, round(1 / rate / SLOT_SECONDS)))]
        self._seconds = 1 / rate / len(self._slots)
        self._count = 0
        self._running = 0
        self._began = 0.0

    def add(self, step: Step) -> None:
        """Take `step` for the first time after one period."""
        if not self._running:
            self._began, self._count = self._loop.time(), 0
            self._wait()
        self._running += 1
        # The slot that is next was last due one period before it is due.
        self._slots[self._count % len(self._slots) - 1].append(step)

    def _wait(self) -> None:
        self._loop.call_at(self._began + (self._count + 1) * self._seconds, self._beat)

    def _beat(self) -> None:
        due = int((self._loop.time() - self._began) / self._seconds)
        while self._count < due:
            number = self._count % len(self._slots)
            steps = self._slots[number]
            self._slots[number] = kept = []
            kept += [step for step in steps if step()]
            self._running -= len(steps) - len(kept)
            self._count += 1
        if self._running:
            self._wait()
