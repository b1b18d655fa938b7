"""How late the event loop is: what every reader feels, whatever the reason."""

import asyncio

TICK_SECONDS = 0.25
WEIGHT = 0.5  # of the newest tick: one long pause is not yet trouble, several are


class LoopLag:
    """`lag_seconds` is how late timers come, lately."""

    def __init__(self) -> None:
        self.lag_seconds = 0.0

    async def run(self) -> None:
        """Feels until cancelled."""
        clock = asyncio.get_running_loop().time
        while True:
            due = clock() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            late = max(0.0, clock() - due)
            self.lag_seconds += WEIGHT * (late - self.lag_seconds)
