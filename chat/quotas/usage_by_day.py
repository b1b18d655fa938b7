"""Sum up what a member has used, from the charges of answers that have ended."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import TruncDate

from chat.quotas.models import Charge


@dataclass(frozen=True, slots=True)
class UsageSum:
    answers: int = 0
    tokens: int = 0
    microdollars: int = 0

    @property
    def dollars(self) -> float:
        return self.microdollars / 1_000_000


def usage_by_day(user_id: int, first: date, last: date) -> dict[date, UsageSum]:
    """Return the usage on each day in UTC from `first` to `last`, both included."""
    day = TruncDate("created_at", tzinfo=UTC)
    rows = _sums(_charges(user_id, first, last).annotate(day=day).values("day"))
    usage = {row["day"]: _usage(row) for row in rows}
    days = (first + timedelta(days=number) for number in range((last - first).days + 1))
    return {each: usage.get(each, UsageSum()) for each in days}


def usage_by_model(user_id: int, first: date, last: date) -> dict[str, UsageSum]:
    """Return the usage by the model's id, the most expensive model first."""
    rows = _sums(_charges(user_id, first, last).values("model"))
    usage = {row["model"]: _usage(row) for row in rows}
    return dict(sorted(usage.items(), key=lambda each: _by_cost(each[1]), reverse=True))


def total(usage: Iterable[UsageSum]) -> UsageSum:
    parts = [(each.answers, each.tokens, each.microdollars) for each in usage]
    return UsageSum(*(sum(column) for column in zip(*parts, strict=True))) if parts else UsageSum()


def _charges(user_id: int, first: date, last: date) -> QuerySet[Charge]:
    """Return the settled charges; an answer in progress has only reserved its maximum."""
    since = datetime.combine(first, time(), UTC)
    until = datetime.combine(last + timedelta(days=1), time(), UTC)
    settled = Charge.objects.exclude(settled_at=None)
    return settled.filter(user=user_id, created_at__gte=since, created_at__lt=until)


def _sums(rows: Any) -> Any:
    return rows.annotate(
        answers=Count("pk"), all_tokens=Sum("tokens"), cost=Sum("microdollars")
    ).order_by()


def _usage(row: dict[str, Any]) -> UsageSum:
    return UsageSum(row["answers"], int(row["all_tokens"]), int(row["cost"]))


def _by_cost(usage: UsageSum) -> tuple[int, int]:
    return usage.microdollars, usage.tokens
