"""Limit a member or a site for a time, with rows in the common table of limits.

All other limits stay in force, so removing these rows restores the previous state.
"""

from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Q, QuerySet

from chat.accounts.models import User
from chat.database.housekeeping import delete_all
from chat.errors import NotFound
from chat.quotas.models import Limit
from chat.quotas.units import Measure
from chat.review.access_log.account_changes import format_until
from chat.review.access_log.authority import require_below
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.widget_sites.models import WidgetSite

Kind = StaffAction.Kind
Limited = User | WidgetSite


def limits_of(whom: Limited) -> QuerySet[Limit]:
    """Return the limits in force that reviewers set."""
    return Limit.objects.present().filter(_rows(whom)).order_by("measure")


@transaction.atomic
def set_limit(
    staff_context: StaffContext, whom: Limited, measure: Measure, amount: Decimal, until: datetime
) -> None:
    """Set a limit until the given time; setting the same metric again replaces it."""
    require_below(staff_context, _owner(whom))
    is_site = isinstance(whom, WidgetSite)
    if not is_site and _owner(whom).is_visitor:
        raise NotFound  # visitors are limited through their website
    Limit.objects.update_or_create(
        scope=Limit.Scope.SITE if is_site else Limit.Scope.MEMBER,
        measure=measure,
        site=whom.key if isinstance(whom, WidgetSite) else "",
        user=None if isinstance(whom, WidgetSite) else whom,
        group=None,
        by_owner=False,
        by_review=True,
        defaults={"amount": amount, "expires_at": until},
    )
    _record(staff_context, Kind.LIMITED, whom, f"{measure} ≤ {amount:g} {format_until(until)}")


@transaction.atomic
def remove_limits(staff_context: StaffContext, whom: Limited) -> None:
    """Remove all limits that reviewers set."""
    require_below(staff_context, _owner(whom))
    if Limit.objects.filter(_rows(whom)).delete()[0]:
        _record(staff_context, Kind.FREED, whom)


def delete_expired() -> None:
    """Delete expired limits."""
    delete_all(Limit.objects.filter(by_review=True).exclude(pk__in=Limit.objects.present()))


def _rows(whom: Limited) -> Q:
    mine = Q(site=whom.key) if isinstance(whom, WidgetSite) else Q(user=whom)
    return mine & Q(by_review=True)


def _owner(whom: Limited) -> User:
    return whom.owner if isinstance(whom, WidgetSite) else whom


def _record(
    staff_context: StaffContext, kind: StaffAction.Kind, whom: Limited, detail: str = ""
) -> None:
    site = whom.pk if isinstance(whom, WidgetSite) else None
    record_action(staff_context, kind, person=_owner(whom).pk, site=site, detail=detail)
