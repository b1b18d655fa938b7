"""Sharing the event loop: long work without a wait hands it back after every bounded piece."""

import asyncio


class LoopBudget:
    """Counts units of work, and lets other tasks run whenever `units` of them are done."""

    def __init__(self, units: int) -> None:
        self._units = self._left = units

    def spend(self, units: int = 1) -> bool:
        """Account for work that was just done; return whether it is time for others: `pause`."""
        self._left -= units
        return self._left <= 0

    async def pause(self) -> None:
        """Return after a turn of the loop."""
        self._left = self._units
        await asyncio.sleep(0)
