"""Decide what staff may do with whose messages, by the permissions of their groups."""

from dataclasses import dataclass
from enum import IntEnum

from django.contrib.auth.models import AnonymousUser, Permission
from django.db.models import Q, QuerySet

from chat.accounts.models import User
from chat.errors import NotFound
from chat.review.models import ReviewScope
from chat.widget_sites.models import Visitor


class Role(IntEnum):
    """Roles in ascending order; each includes the previous ones."""

    REVIEWER = 1
    LEAD = 2
    ADMINISTRATOR = 3


PERMISSIONS = {
    "chat.administer_review": Role.ADMINISTRATOR,
    "chat.lead_review": Role.LEAD,
    "chat.review": Role.REVIEWER,
}


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A staff member who may review members of `groups` and visitors of `sites`.

    `groups` is None for those who may review everyone. `colleagues` are the ids of those who
    answer visitors and whose names they may see; None: everybody's.
    """

    user_id: int
    role: Role
    groups: frozenset[int] | None
    sites: frozenset[int] = frozenset()
    is_superuser: bool = False
    colleagues: frozenset[int] | None = None

    @property
    def people(self) -> QuerySet[User]:
        """The people in the reviewer's scope."""
        return User.all_objects.filter(self.within("pk"), closed_at=None)

    def within(self, owner: str) -> Q:
        """Return a condition for rows whose field `owner` is a person in the reviewer's scope."""
        if self.groups is None:
            return Q()
        members = User.objects.filter(groups__in=self.groups)
        theirs = Q(**{f"{owner}__in": members.values("pk")})
        if not self.sites:
            return theirs
        visitors = Visitor.objects.filter(site__in=self.sites)
        return theirs | Q(**{f"{owner}__in": visitors.values("user")})


def reviewer_of(user: User | AnonymousUser) -> Reviewer | None:
    """Return what `user` may review; None if they may not review at all."""
    if not isinstance(user, User) or not user.is_active:
        return None
    role = next((each for name, each in PERMISSIONS.items() if user.has_perm(name)), None)
    if role is None:
        return None
    if role is Role.ADMINISTRATOR:
        return Reviewer(user.pk, role, None, is_superuser=user.is_superuser)
    return Reviewer(user.pk, role, *_scope(user))


def staff_among(people: QuerySet[User], least: Role = Role.REVIEWER) -> QuerySet[User]:
    """Return those of `people` who have at least this role: one condition, for queries."""
    names = [name.removeprefix("chat.") for name, role in PERMISSIONS.items() if role >= least]
    rights = Permission.objects.filter(content_type__app_label="chat", codename__in=names)
    return people.filter(
        Q(is_superuser=True) | Q(groups__permissions__in=rights) | Q(user_permissions__in=rights),
        is_active=True,
    )


def require_reviewer(user: User | AnonymousUser, role: Role = Role.REVIEWER) -> Reviewer:
    """Return the reviewer. Raise `NotFound` if their role is below `role`."""
    reviewer = reviewer_of(user)
    if reviewer is None or reviewer.role < role:
        raise NotFound
    return reviewer


def reloaded(reviewer: Reviewer, least: Role) -> Reviewer:
    """Return the reviewer with current permissions, for work that outlasts a request.

    Raise `NotFound` if their role is now below `least`.
    """
    return require_reviewer(
        User.objects.filter(pk=reviewer.user_id).first() or AnonymousUser(), least
    )


def staff_users(least: Role = Role.REVIEWER) -> QuerySet[User]:
    """Return all staff with at least this role."""
    users = User.objects.filter(_has_role(least), is_active=True, closed_at=None)
    return users.distinct().order_by("name", "email")


def peers(reviewer: Reviewer) -> QuerySet[User]:
    """Return whom `reviewer` may not judge or change: themselves and staff of their role or higher.

    This includes suspended staff, whose role returns with their reinstatement. Superusers rank
    above all others.
    """
    themselves = Q(pk=reviewer.user_id)
    others = Q() if reviewer.is_superuser else _has_role(reviewer.role)
    return User.objects.filter(themselves | others, closed_at=None)


def _has_role(least: Role) -> Q:
    names = [name.partition(".")[2] for name, role in PERMISSIONS.items() if role >= least]
    condition = Q(user_permissions__codename__in=names) | Q(groups__permissions__codename__in=names)
    return condition | Q(is_superuser=True)


def _scope(user: User) -> tuple[frozenset[int] | None, frozenset[int]]:
    """Return the groups (None for everyone) and the sites in the user's scope."""
    scopes = ReviewScope.objects.filter(Q(reviewer=user) | Q(team__in=user.groups.all()))
    if scopes.filter(members=None, site=None).exists():
        return None, frozenset()
    groups = scopes.exclude(members=None).values_list("members", flat=True)
    sites = scopes.exclude(site=None).values_list("site", flat=True)
    return frozenset(groups), frozenset(sites)
