"""Report how much of the limits of a slot is used now, as the meters have it.

Use includes what is reserved for running answers, because limits count it too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from decimal import Decimal
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import BigIntegerField, Case, CharField, F, Max, Q, QuerySet, Value, When
from django.db.models.functions import Cast, Concat
from django.utils import timezone

from chat.quotas.limit_editing import LimitSlot
from chat.quotas.models import Limit, Meter
from chat.quotas.payer import EVALUATION, EVERYONE, VISITORS, Payer, group_key
from chat.quotas.units import KINDS, Measure, window_start

Scope = Limit.Scope


@dataclass(frozen=True, slots=True)
class UsageNow:
    """The current use of each measure, in its unit.

    If a limit is for each of several people, websites or addresses, it is the highest use by one.
    """

    amounts: Mapping[Measure, Decimal]
    is_highest: bool


def usage_now(place: LimitSlot, meters: Q | None = None) -> UsageNow:
    """Return how much of the limits of `place` is used; `meters` overrides which ones count.

    That is necessary for each visitor of one website, whose keys don't name the website.
    """
    rows = Meter.objects.filter(_meters_of(place) if meters is None else meters)
    now = timezone.now().astimezone(UTC)
    highest = {each.value: Max(_current(each, now)) for each in Measure}
    sums: dict[str, Any] = rows.aggregate(**highest)
    amounts = {each: Decimal(sums[each.value] or 0) / KINDS[each].parts for each in Measure}
    return UsageNow(amounts, is_highest=not _has_one_meter(place))


def _current(measure: Measure, now: Any) -> Any:
    """Return the use of a meter in the current window; what is older counts as 0."""
    kind = KINDS[measure]
    if not kind.window:
        return F(kind.column)
    is_current = When(**{kind.window: window_start(kind.window, now)}, then=F(kind.column))
    return Case(is_current, default=Value(0), output_field=BigIntegerField())


def _has_one_meter(place: LimitSlot) -> bool:
    is_one = place.scope in {Scope.EVERYONE, Scope.VISITORS, Scope.EVALUATION, Scope.GROUP}
    return is_one or bool(place.user_id) or (place.scope == Scope.SITE and bool(place.site))


def _meters_of(place: LimitSlot) -> Q:
    """Return a condition for the meters that the slot's limits apply to."""
    match place.scope:
        case Scope.EVERYONE:
            return Q(key=EVERYONE)
        case Scope.VISITORS:
            return Q(key=VISITORS)
        case Scope.EVALUATION:
            return Q(key=EVALUATION)
        case Scope.GROUP if place.group_id:
            return Q(key=group_key(place.group_id))
        case Scope.MEMBER if place.user_id:
            return Q(key=Payer(user_id=place.user_id).user_key)
        case Scope.MEMBER if place.group_id:
            return Q(key__in=_keys_of_members(place.group_id))
        case Scope.MEMBER:
            return Q(key__startswith="user:")
        case Scope.SITE if place.site:
            return Q(key=Payer(site=place.site).site_key)
        case Scope.SITE_ADDRESS if place.site:
            return Q(key__startswith=f"site_address:{place.site}:")
        case _:
            return Q(key__startswith=f"{place.scope.value}:")


def _keys_of_members(group_id: int) -> QuerySet[Any]:
    members = get_user_model()._default_manager.filter(groups=group_id).order_by()
    return members.values_list(
        Concat(Value("user:"), Cast("pk", CharField()), output_field=CharField())
    )
