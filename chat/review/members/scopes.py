"""Set whose chats staff may review: scopes of staff members and groups of staff."""

from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import QuerySet

from chat.accounts.models import User
from chat.errors import NotFound
from chat.review.access_log.permission_changes import changed_by
from chat.review.access_log.staff_context import StaffContext
from chat.review.members.actions import editable_account
from chat.review.models import ReviewScope
from chat.widget_sites.models import WidgetSite


def of_account(user: User) -> QuerySet[ReviewScope]:
    """Return a staff member's own scopes, without those of their groups."""
    return ReviewScope.objects.filter(reviewer=user).select_related("members", "site")


def of_group(group: Group) -> QuerySet[ReviewScope]:
    """Return the scopes of those who review the members, except those who review everyone."""
    return ReviewScope.objects.filter(members=group).select_related("reviewer", "team")


def of_site(site: WidgetSite) -> QuerySet[ReviewScope]:
    """Return the scopes of those who review the visitors, except those who review everyone."""
    return ReviewScope.objects.filter(site=site).select_related("reviewer", "team")


@transaction.atomic
def add(
    staff_context: StaffContext,
    *,
    reviewer: User | None = None,
    team: Group | None = None,
    members: Group | None = None,
    site: WidgetSite | None = None,
) -> None:
    """Let a staff member or a group of staff review members or visitors; without these, everyone.

    Raise `EmailTaken` for an account that only superusers may change.
    """
    if reviewer:
        editable_account(staff_context, reviewer.pk)
    with changed_by(staff_context):
        ReviewScope.objects.get_or_create(reviewer=reviewer, team=team, members=members, site=site)


@transaction.atomic
def remove(staff_context: StaffContext, scopes: QuerySet[ReviewScope], scope_id: int) -> None:
    """Remove one of `scopes`. Raise `NotFound`, or `EmailTaken` as `add` does."""
    scope = scopes.filter(pk=scope_id).first()
    if scope is None:
        raise NotFound
    if scope.reviewer:
        editable_account(staff_context, scope.reviewer.pk)
    with changed_by(staff_context):
        scope.delete()
