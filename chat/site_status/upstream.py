"""Measure the model provider by the newest answers."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from chat.generations.models import Generation
from chat.quotas.models import Charge, UpstreamPause

PERIOD = timedelta(hours=1)
#: The newest of the period, because more would only take longer.
MOST_ANSWERS = 1000


@dataclass(frozen=True, slots=True)
class UpstreamStatus:
    answers: int  # that ended
    failed: int
    first_token_seconds: float | None  # median
    slow_first_token_seconds: float | None  # of the slowest twentieth
    errors: list[tuple[str, int]]  # codes, the most frequent first
    paused_until: datetime | None


def upstream_status() -> UpstreamStatus:
    """Return how the last hour's stored answers ended. Temporary ones are not stored."""
    # From their charges, because answers have no index by time.
    recent = Charge.objects.filter(created_at__gte=timezone.now() - PERIOD)
    newest = recent.order_by("-created_at").values_list("pk", flat=True)[:MOST_ANSWERS]
    ended = Generation.objects.filter(pk__in=list(newest)).exclude(state=Generation.State.RUNNING)
    rows = list(ended.values_list("state", "error_code", "first_token_milliseconds"))
    waits = sorted(wait / 1000 for _state, _code, wait in rows if wait is not None)
    return UpstreamStatus(
        answers=len(rows),
        failed=sum(state == Generation.State.FAILED for state, _code, _wait in rows),
        first_token_seconds=_quantile(waits, 0.5),
        slow_first_token_seconds=_quantile(waits, 0.95),
        errors=Counter(code for _state, code, _wait in rows if code).most_common(),
        paused_until=_paused_until(),
    )


def _quantile(ordered: list[float], share: float) -> float | None:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


def _paused_until() -> datetime | None:
    pauses = UpstreamPause.objects.filter(until__gt=timezone.now()).order_by("-until")
    return pauses.values_list("until", flat=True).first()
