"""A clock of a machine, which somebody sets."""

from chat.lib.steady_clock import ClockRecord, SteadyClock

HOUR = 3600.0


class SetClock:
    def __init__(self, record: ClockRecord | None = None) -> None:
        self.elapsed, self.offset, self._record = 5.0, 1_700_000_000.0, record
        self.start_process()

    def start_process(self) -> None:
        """Look at the clock with a new process from now on."""
        self.steady = SteadyClock(
            lambda: self.elapsed + self.offset, lambda: self.elapsed, self._record
        )

    def is_steady_after(self, seconds: float) -> bool:
        self.elapsed += seconds
        return self.steady.is_steady()
