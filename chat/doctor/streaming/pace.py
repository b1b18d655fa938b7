"""Judge whether events arrived as they were sent, or were held back."""

from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

#: Delays of networks and busy machines. People notice more.
TOLERATED_SECONDS = 0.7
#: The share of the time of sending in which events arrive that were collected.
AT_ONCE_SHARE = 0.2


class Flow(Enum):
    STEADY = auto()
    IN_BURSTS = auto()
    AT_ONCE = auto()


@dataclass(frozen=True, slots=True)
class Pace:
    """`first_seconds` runs from the request; `held_seconds` is the longest delay of an event."""

    flow: Flow
    first_seconds: float
    longest_gap_seconds: float
    held_seconds: float


def pace_of(arrivals: list[tuple[float, float]]) -> Pace:
    """Return the pace of events, given as (seconds when sent, seconds when arrived)."""
    times = [arrived for _, arrived in arrivals]
    gaps = [later - before for before, later in pairwise(times)]
    delays = [arrived - sent for sent, arrived in arrivals]
    # The first event may have been held back, too: an undelayed one takes the least time.
    held = max(delays) - min(delays)
    sending = arrivals[-1][0] - arrivals[0][0]
    flow = Flow.STEADY
    if times[-1] - times[0] <= sending * AT_ONCE_SHARE:
        flow = Flow.AT_ONCE
    elif held > TOLERATED_SECONDS:
        flow = Flow.IN_BURSTS
    return Pace(flow, times[0], max(gaps, default=0.0), held)
