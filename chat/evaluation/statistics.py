"""Say how sure a difference between two runs is. Pure functions.

* Of a judge's figures, the mean difference of the same items has a 95 % interval by the percentile
  bootstrap: the items are drawn again, with replacement, `RESAMPLES` times.
* Of votes, the sign test says how probable a result at least so uneven were if both runs were
  equally good. It counts items, because votes of several people on one item depend on each other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb

RESAMPLES = 5000
SHARE = 0.95
#: With fewer items, an interval says little.
FEW_ITEMS = 20
_SEED = 20  # the same figures give the same interval


@dataclass(frozen=True, slots=True)
class Difference:
    """The means of two runs over the same items, and the interval of their difference.

    `difference` is the second minus the first. Without two items there is no interval.
    """

    count: int
    first: float
    second: float
    low: float | None
    high: float | None

    @property
    def difference(self) -> float:
        return self.second - self.first

    @property
    def is_clear(self) -> bool:
        """Return whether the interval leaves out that there is no difference."""
        if self.low is None or self.high is None:
            return False
        return self.low > 0 or self.high < 0


def difference_of(pairs: Sequence[tuple[float, float]]) -> Difference | None:
    """Return the difference of paired figures; None without any."""
    if not pairs:
        return None
    count = len(pairs)
    first = sum(pair[0] for pair in pairs) / count
    second = sum(pair[1] for pair in pairs) / count
    low, high = _interval([pair[1] - pair[0] for pair in pairs]) if count > 1 else (None, None)
    return Difference(count, first, second, low, high)


def _interval(differences: Sequence[float]) -> tuple[float, float]:
    import numpy as np  # which many processes never need

    values = np.asarray(differences)
    drawn = np.random.default_rng(_SEED).integers(len(values), size=(RESAMPLES, len(values)))
    outside = (1 - SHARE) / 2
    low, high = np.quantile(values[drawn].mean(axis=1), [outside, 1 - outside])
    return float(low), float(high)


def sign_test(wins: int, losses: int) -> float:
    """Return the two-sided p-value of the exact sign test; ties are left out. 1 without any."""
    count = wins + losses
    if count == 0:
        return 1.0
    tail: int = sum(comb(count, k) for k in range(min(wins, losses) + 1))
    return float(min(1.0, 2 * tail / 2**count))


def majority(votes: Iterable[int]) -> int:
    """Return whom most votes on one item favour: 1, -1, or 0 for neither."""
    total = sum(votes)
    return (total > 0) - (total < 0)
