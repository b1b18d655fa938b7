"""Write the limits with what is used of them for programs."""

from typing import Any

from django.contrib.auth.models import Group
from django.db.models import Q

from chat.quotas.limit_editing import LimitSlot
from chat.quotas.models import Limit
from chat.quotas.units import KINDS, Measure
from chat.quotas.usage_now import UsageNow, usages_now
from chat.review.staff.roles import Reviewer
from chat.widget_sites.models import WidgetSite

SHARED = (Limit.Scope.EVERYONE, Limit.Scope.VISITORS, Limit.Scope.GROUP, Limit.Scope.SITE)


def limits_with_use(reviewer: Reviewer) -> list[dict[str, Any]]:
    """Return the limits that people share, and what is used; a limited key gets its own."""
    rows = Limit.objects.present().filter(scope__in=SHARED, by_owner=False, by_review=False)
    if reviewer.groups is not None:
        keys = WidgetSite.objects.filter(pk__in=reviewer.sites).values("key")
        sites = Q(scope=Limit.Scope.SITE, site__in=keys)
        rows = rows.filter(Q(scope=Limit.Scope.GROUP, group__in=reviewer.groups) | sites)
    limits = list(rows.select_related("group").order_by("scope", "pk"))
    usages = usages_now(map(_slot, limits))
    return [_limit(each, usages[_slot(each)]) for each in limits]


def _slot(limit: Limit) -> LimitSlot:
    return LimitSlot(Limit.Scope(limit.scope), group_id=limit.group_id, site=limit.site)


def _limit(limit: Limit, usage: UsageNow) -> dict[str, Any]:
    measure = Measure(limit.measure)
    return {
        "object": "limit",
        "id": limit.pk,
        "scope": limit.scope,
        "group": _group(limit.group),
        "website": limit.site or None,
        "measure": measure.value,
        "window": KINDS[measure].window or None,
        "amount": float(limit.amount),
        "used": float(usage.amounts[measure]),
        "is_highest_of_several": usage.is_highest,
    }


def _group(group: Group | None) -> dict[str, Any] | None:
    return {"id": group.pk, "name": group.name} if group else None
