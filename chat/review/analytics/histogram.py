"""Count values in buckets, from which percentiles can be estimated to within about a tenth.

Percentiles of days cannot be added up, but counts can. Each bucket's limit is √2 times the previous
one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

STEPS_PER_OCTAVE = 2


@dataclass(frozen=True, slots=True)
class Scale:
    """The first bucket is below `least`; the last one has no upper limit."""

    name: str
    least: float
    steps: int

    @property
    def columns(self) -> list[str]:
        return [f"{self.name}_{number}" for number in range(self.steps)]

    def step_of(self, value: float) -> int:
        if value < self.least:
            return 0
        step = 1 + math.floor(STEPS_PER_OCTAVE * math.log2(value / self.least))
        return min(self.steps - 1, step)

    def percentile(self, counts: Sequence[int], share: float) -> float | None:
        """Return the value below which `share` of all values lie; None if there are none."""
        wanted = share * sum(counts)
        before = 0
        for step, count in enumerate(counts):
            if count and before + count >= wanted:
                return self._within(step, (wanted - before) / count)
            before += count
        return None

    def _within(self, step: int, part: float) -> float:
        if not step:
            return self.least * part
        return float(self.least * 2 ** ((step - 1 + part) / STEPS_PER_OCTAVE))


FIRST_TOKEN = Scale("first_token", 100, 19)  # milliseconds: up to 36 s, and longer
SPEED = Scale("speed", 2, 17)  # tokens per second: up to 362, and faster
