"""Let load balancers notice that a process ends before it refuses work.

Some, such as Caddy, don't repeat a refused request at another process. They ask /readyz every
second or so, and send requests to those that were ready.
"""

import asyncio
from time import monotonic

#: Who has asked within this time is expected to ask again.
RECENT_SECONDS = 10.0
#: How long to wait for that, and then for what was sent on the strength of an earlier answer.
NOTICE_SECONDS, LATE_REQUESTS_SECONDS = 2.0, 0.2


class ReadinessChecks:
    def __init__(self) -> None:
        self._answered = asyncio.Event()
        self._answered_at = float("-inf")

    def record(self) -> None:
        """Note that somebody was told whether this process is ready."""
        self._answered_at = monotonic()
        self._answered.set()

    async def until_noticed(self) -> None:
        """Wait until the next check is answered, if there are any."""
        if monotonic() - self._answered_at > RECENT_SECONDS:
            return
        self._answered.clear()
        try:
            await asyncio.wait_for(self._answered.wait(), NOTICE_SECONDS)
        except TimeoutError:
            return
        await asyncio.sleep(LATE_REQUESTS_SECONDS)
