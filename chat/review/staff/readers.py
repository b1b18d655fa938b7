"""Find the staff members who may review a person's chats, in a few queries for all of them."""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from chat.accounts.models import User
from chat.review.models import ReviewScope
from chat.review.staff import roles
from chat.review.staff.roles import Role
from chat.widget_sites.models import Visitor


def readers_of(owner_id: int, least: Role = Role.REVIEWER) -> QuerySet[User]:
    """Return the staff members with at least this role whose scope includes the person."""
    return readers_of_any([owner_id], least)


def readers_of_any(owner_ids: Collection[int], least: Role = Role.REVIEWER) -> QuerySet[User]:
    """Return the staff members whose scope includes at least one of these people."""
    groups = User.groups.through.objects.filter(user__in=owner_ids).values("group")
    sites = Visitor.objects.filter(user__in=owner_ids).values("site")
    everybody = Q(members=None, site=None)
    scopes = ReviewScope.objects.filter(everybody | Q(members__in=groups) | Q(site__in=sites))
    administrators = roles.staff_users(Role.ADMINISTRATOR).order_by()
    return roles.staff_users(least).filter(
        Q(pk__in=administrators.values("pk"))
        | Q(pk__in=scopes.exclude(reviewer=None).values("reviewer"))
        | Q(groups__in=scopes.exclude(team=None).values("team"))
    )
