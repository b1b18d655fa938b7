"""Report what a payer has left: the same numbers for users, before they send, and for staff."""

from dataclasses import dataclass
from datetime import datetime

from chat.quotas import rules as quota_rules
from chat.quotas.limits import EffectiveLimit
from chat.quotas.meters import MeterReading
from chat.quotas.payer import Payer
from chat.quotas.units import KINDS, RATES, Measure, window_end

NEARLY_SPENT = 0.2


@dataclass(frozen=True, slots=True)
class Remaining:
    """A limit and how much of it is used, in its own unit."""

    bound: EffectiveLimit
    used_parts: int
    resets_at: datetime | None

    @property
    def used(self) -> float:
        return self.used_parts / KINDS[self.bound.measure].parts

    @property
    def most(self) -> float:
        return self.bound.most / KINDS[self.bound.measure].parts

    @property
    def share(self) -> float:
        """Return the remaining share of the limit, from 0 to 1."""
        return max(0.0, 1 - self.used_parts / self.bound.most) if self.bound.most else 0.0

    @property
    def is_shared(self) -> bool:
        """Return whether others use the limit too. Its total is then not shown to users."""
        return self.bound.is_shared

    @property
    def is_rate(self) -> bool:
        """Return whether the limit recovers within a minute, or as soon as an answer ends."""
        return self.bound.measure in RATES


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a payer has left, and until when requests to the provider are paused."""

    remaining: list[Remaining]
    paused_until: datetime | None
    config_version: int | None = None  # as of the moment it was read

    @property
    def tightest(self) -> Remaining | None:
        """Return the limit that will be reached first, apart from rates; None if there is none."""
        lasting = (left for left in self.remaining if not left.is_rate)
        return min(lasting, key=lambda left: left.share, default=None)

    @property
    def is_nearly_spent(self) -> bool:
        return self.tightest is not None and self.tightest.share <= NEARLY_SPENT


def allowance_of(payer: Payer) -> Allowance:
    """Return what the payer has left now. Reads without locking."""
    present, reading = quota_rules.read(payer)
    bounds = present.effective_limits(payer, reading.now)
    return Allowance(
        _lefts(bounds, reading), present.paused_until(reading.now), reading.config_version
    )


def _lefts(bounds: list[EffectiveLimit], reading: MeterReading) -> list[Remaining]:
    """Return what is left of each limit, of each measure the payer's own first."""
    order = list(Measure)

    def place(bound: EffectiveLimit) -> tuple[int, bool, str]:
        return -order.index(bound.measure), bound.is_shared, bound.scope

    return [
        Remaining(
            bound,
            bound.used(reading.meters[bound.key]),
            window_end(KINDS[bound.measure].window, reading.now),
        )
        for bound in sorted(bounds, key=place)
    ]
