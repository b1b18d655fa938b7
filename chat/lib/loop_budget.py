"""Sharing the event loop: long work without a wait hands it back after every bounded piece."""

import asyncio


class LoopBudget:
    """Counts units of work, and lets other tasks run whenever `units` of them are done."""

    def __init__(self, units: int) -> None:
        self._units = self._left = units

    async def spend(self, units: int = 1) -> None:
        """Account for work that was just done; return after a turn of the loop if it was enough."""
        self._left -= units
        if self._left <= 0:
            self._left = self._units
            await asyncio.sleep(0)
