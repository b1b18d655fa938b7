"""A clock of a machine, which somebody sets."""

from chat.lib.steady_clock import SteadyClock

HOUR = 3600.0


class SetClock:
    def __init__(self) -> None:
        self.elapsed, self.offset = 5.0, 1_700_000_000.0
        self.steady = SteadyClock(lambda: self.elapsed + self.offset, lambda: self.elapsed)

    def is_steady_after(self, seconds: float) -> bool:
        self.elapsed += seconds
        return self.steady.is_steady()
