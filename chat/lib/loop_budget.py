"""Share the event loop: long work that never waits yields after each bounded piece."""

import asyncio


class LoopBudget:
    """Count units of work, and let other tasks run after every `units` of them."""

    def __init__(self, units: int) -> None:
        self._units = self._left = units

    def spend(self, units: int = 1) -> bool:
        """Count work that was just done; return whether it is time to `pause`."""
        self._left -= units
        return self._left <= 0

    async def pause(self) -> None:
        """Let other tasks run for one turn of the loop."""
        self._left = self._units
        await asyncio.sleep(0)
