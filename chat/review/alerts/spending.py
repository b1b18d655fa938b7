"""Tell administrators how much of the monthly limits that people share is spent.

What running answers have reserved isn't spent yet. A limit with another amount is another one, of
which they are told again.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from chat.quotas.models import Limit, Meter
from chat.quotas.payer import EVERYONE, VISITORS, Payer, group_key
from chat.quotas.units import KINDS, Measure, window_start
from chat.review.staff_notices import notify
from chat.review.staff_notices.models import Alert, StaffNotice

#: In percent. An answer that no longer fits is refused, so the last cents may never be spent:
#: shares are rounded, and from 99.5 on a limit counts as used up.
THRESHOLDS = (50, 80, 100)
SHARED = (Limit.Scope.EVERYONE, Limit.Scope.VISITORS, Limit.Scope.GROUP, Limit.Scope.SITE)
SITES = "site:"


@dataclass(frozen=True, slots=True)
class SpendingBudget:
    """A monthly limit, by the key of its meter, and what is spent of it."""

    meter: str
    microdollars: int
    spent: int

    @property
    def reached(self) -> int:
        """Return the highest threshold that is reached; 0 if none is."""
        percent = (200 * self.spent + self.microdollars) // (2 * self.microdollars)
        return max((each for each in THRESHOLDS if each <= percent), default=0)


def check_spending() -> int:
    """Tell of each budget that has reached a threshold; return of how many. Run every minute."""
    month = window_start("month", timezone.now().astimezone(UTC))
    if month is None:
        return 0
    alerts = Alert.objects.filter(kind=Alert.Kind.BUDGET, month=month)
    told: dict[tuple[str, int], int] = {}
    for meter, amount, percent in alerts.values_list("meter", "microdollars", "percent"):
        told[meter, amount] = max(percent, told.get((meter, amount), 0))
    due = [
        each
        for each in budgets(month)
        if each.reached > told.get((each.meter, each.microdollars), 0)
    ]
    return sum(_tell(each, month) for each in due)


def budgets(month: datetime) -> Iterator[SpendingBudget]:
    """Yield the monthly limits of which something is spent: for each website, the one it has."""
    limits = Limit.objects.present().filter(
        measure=Measure.DOLLARS, scope__in=SHARED, by_owner=False, by_review=False
    )
    most = {_meter_of(each): int(each.amount * KINDS[Measure.DOLLARS].parts) for each in limits}
    for meter in _meters(most, month):
        amount = most.get(meter.key, most.get(SITES, 0) if meter.key.startswith(SITES) else 0)
        spent = meter.microdollars - meter.reserved_microdollars
        if amount and spent > 0:
            yield SpendingBudget(meter.key, amount, spent)


def _meters(keys: Iterable[str], month: datetime) -> Iterable[Meter]:
    wanted = Q(key__in=list(keys))
    if SITES in keys:
        wanted |= Q(key__startswith=SITES)
    return Meter.objects.filter(wanted, month=month, microdollars__gt=0)


def _meter_of(limit: Limit) -> str:
    """Return the key of the limit's meter; of the limit for each website, what keys begin with."""
    match limit.scope:
        case Limit.Scope.EVERYONE:
            return EVERYONE
        case Limit.Scope.VISITORS:
            return VISITORS
        case Limit.Scope.GROUP:
            return group_key(limit.group_id or 0)
        case _:
            return Payer(site=limit.site).site_key or SITES


@transaction.atomic
def _tell(budget: SpendingBudget, month: datetime) -> bool:
    """Tell administrators, unless another process just has."""
    alert, is_new = Alert.objects.get_or_create(
        kind=Alert.Kind.BUDGET,
        meter=budget.meter,
        month=month,
        microdollars=budget.microdollars,
        percent=budget.reached,
    )
    if is_new:
        notify.of_alert(StaffNotice.Kind.BUDGET, alert)
    return is_new
