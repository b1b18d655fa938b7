"""How long tests wait for what is going to happen: only a hang takes that long.

The limit of the whole test (`fair_timeout.py`) is a little longer, so a wait says what is missing.
"""

import time

from tests.support.fair_timeout import FairClock, disk_delay_seconds, machine_delay_seconds

PATIENCE_SECONDS = 280


class Stopwatch:
    """Measure how long something takes that has to be quick, also beside other work.

    Time in which the machine was busy with others doesn't count.
    """

    def __init__(self) -> None:
        self._clock = FairClock(machine_delay_seconds, disk_delay_seconds)
        self._wall = FairClock()

    @property
    def seconds(self) -> float:
        return self._clock.seconds()

    @property
    def free_share(self) -> float:
        """The share of the time in which the machine wasn't busy with others."""
        return self.seconds / self._wall.seconds()


def deadline() -> float:
    """Return when to give up, in monotonic time."""
    return time.monotonic() + PATIENCE_SECONDS
