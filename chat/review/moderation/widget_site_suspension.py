"""Suspend a website's chat, for a time or indefinitely, and undo it."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from chat.errors import NotFound
from chat.generations.deletion.soft_delete import delete_site, on_site
from chat.generations.models import Generation
from chat.generations.task.cancellation import request_stop
from chat.review.access_log import staff_actions
from chat.review.access_log.authority import require_below
from chat.review.access_log.permission_changes import changed_by
from chat.review.access_log.staff_actions import StaffAction
from chat.review.access_log.staff_context import StaffContext
from chat.review.staff import privacy
from chat.review.staff.roles import Reviewer
from chat.widget_sites import suspension
from chat.widget_sites.models import WidgetSite


def sites_of(reviewer: Reviewer) -> QuerySet[WidgetSite]:
    """Return the sites in the reviewer's scope, and those of owners in it."""
    if reviewer.groups is None:
        return WidgetSite.objects.all()
    return WidgetSite.objects.filter(reviewer.within("owner") | Q(pk__in=reviewer.sites))


def site_of(staff_context: StaffContext, key: str) -> WidgetSite:
    """Return one of the reviewer's sites. Raise `NotFound`."""
    privacy.require_reading_allowed()
    site = sites_of(staff_context.reviewer).filter(key=key).select_related("owner").first()
    if site is None:
        raise NotFound
    return site


@transaction.atomic
def suspend(staff_context: StaffContext, site: WidgetSite, until: datetime | None) -> None:
    require_below(staff_context, site.owner)
    with changed_by(staff_context):
        _shut(site, until)


@transaction.atomic
def restore(staff_context: StaffContext, site: WidgetSite) -> None:
    require_below(staff_context, site.owner)
    with changed_by(staff_context):
        suspension.restore(site)


@transaction.atomic
def set_suspended(site: WidgetSite, *, is_suspended: bool) -> None:
    """Suspend the site indefinitely or reinstate it, as the current actor (accounts/actor.py)."""
    if is_suspended:
        _shut(site, None)
    else:
        suspension.restore(site)


@transaction.atomic
def delete(site: WidgetSite) -> None:
    """Delete the site for the current actor, with its chats, except those on legal hold."""
    staff_actions.record_current_action(
        StaffAction.Kind.SITE_DELETED, person=site.owner_id, site=site.pk
    )
    delete_site(site)


def _shut(site: WidgetSite, until: datetime | None) -> None:
    suspension.suspend(site, until)
    request_stop(Generation.objects.filter(on_site(site)))
