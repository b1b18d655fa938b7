"""Report how much of the limits of a slot is used now, as the meters have it.

Use includes what is reserved for running answers, because limits count it too.
"""

from collections.abc import Iterable, Mapping
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
    return _usage(rows.aggregate(**_highest()), is_highest=_key_of(place) is None)


def usages_now(places: Iterable[LimitSlot]) -> dict[LimitSlot, UsageNow]:
    """Return the use of each place: in one query of all those that have one meter."""
    keys = {each: _key_of(each) for each in places}
    rows = Meter.objects.filter(key__in=filter(None, keys.values()))
    stored = {each["key"]: each for each in rows.values("key").annotate(**_highest())}
    return {
        place: _usage(stored.get(key, {}), is_highest=False) if key else usage_now(place)
        for place, key in keys.items()
    }


def _highest() -> dict[str, Max]:
    now = timezone.now().astimezone(UTC)
    return {each.value: Max(_current(each, now)) for each in Measure}


def _usage(amounts: Mapping[str, Any], *, is_highest: bool) -> UsageNow:
    used = {each: Decimal(amounts.get(each.value) or 0) / KINDS[each].parts for each in Measure}
    return UsageNow(used, is_highest)


def _current(measure: Measure, now: Any) -> Any:
    """Return the use of a meter in the current window; what is older counts as 0."""
    kind = KINDS[measure]
    if not kind.window:
        return F(kind.column)
    is_current = When(**{kind.window: window_start(kind.window, now)}, then=F(kind.column))
    return Case(is_current, default=Value(0), output_field=BigIntegerField())


def _key_of(place: LimitSlot) -> str | None:
    """Return the key of the slot's meter; None if each of several people has one."""
    match place.scope:
        case Scope.EVERYONE:
            return EVERYONE
        case Scope.VISITORS:
            return VISITORS
        case Scope.EVALUATION:
            return EVALUATION
        case Scope.GROUP if place.group_id:
            return group_key(place.group_id)
        case Scope.MEMBER if place.user_id:
            return Payer(user_id=place.user_id).user_key
        case Scope.SITE if place.site:
            return Payer(site=place.site).site_key
        case _:
            return None


def _meters_of(place: LimitSlot) -> Q:
    """Return a condition for the meters that the slot's limits apply to."""
    if key := _key_of(place):
        return Q(key=key)
    match place.scope:
        case Scope.MEMBER if place.group_id:
            return Q(key__in=_keys_of_members(place.group_id))
        case Scope.MEMBER:
            return Q(key__startswith="user:")
        case Scope.SITE_ADDRESS if place.site:
            return Q(key__startswith=f"site_address:{place.site}:")
        case _:
            return Q(key__startswith=f"{place.scope.value}:")


def _keys_of_members(group_id: int) -> QuerySet[Any]:
    members = get_user_model()._default_manager.filter(groups=group_id).order_by()
    return members.values_list(
        Concat(Value("user:"), Cast("pk", CharField()), output_field=CharField())
    )
