"""Measure how late the event loop runs, which delays every reader, whatever the cause."""

import asyncio

TICK_SECONDS = 0.25
WEIGHT = 0.5  # of the newest tick: one long pause does not matter yet, several do


class LoopLag:
    """Keep a moving average of timer delays in `lag_seconds`."""

    def __init__(self) -> None:
        self.lag_seconds = 0.0

    async def run(self) -> None:
        """Measure until cancelled."""
        clock = asyncio.get_running_loop().time
        while True:
            due = clock() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            late = max(0.0, clock() - due)
            self.lag_seconds += WEIGHT * (late - self.lag_seconds)
