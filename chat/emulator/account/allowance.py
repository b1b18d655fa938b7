"""Limit the neurons that an account may use per day, which ends at 00:00 UTC."""

from datetime import UTC, date, datetime

from chat.emulator.common.faults import Refusal
from chat.emulator.common.recent import Recent

#: Of an account on the free plan.
FREE_NEURONS_PER_DAY = 10_000


class DailyAllowance:
    """Count neurons per account and day. Without a limit, only count."""

    def __init__(self, neurons_per_day: float | None) -> None:
        self._neurons_per_day = neurons_per_day
        self._used: Recent[tuple[str, date], float] = Recent()

    def is_used_up(self, account: str) -> bool:
        return self._neurons_per_day is not None and self.used(account) >= self._neurons_per_day

    def require(self, account: str) -> None:
        """Raise `Refusal` if the account has used up its allowance."""
        if self.is_used_up(account):
            raise Refusal("4006")

    def used(self, account: str) -> float:
        """Return the neurons that the account has used today."""
        return self._used.get((account, _today()), 0.0)

    def charge(self, account: str, neurons: float) -> None:
        self._used[account, _today()] = self.used(account) + neurons


def _today() -> date:
    return datetime.now(UTC).date()
