"""Decide what staff may do with whose messages, by the permissions of their groups."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from django.contrib.auth.models import AnonymousUser, Permission
from django.db.models import Q, QuerySet

from chat.accounts.models import User
from chat.errors import NotFound
from chat.review.models import ReviewScope
from chat.widget_sites.models import Visitor


class Role(IntEnum):
    """Roles in ascending order; each includes the previous ones.

    `NONE` is for staff who read no chats, and have only rights.
    """

    NONE = 0
    REVIEWER = 1
    LEAD = 2
    ADMINISTRATOR = 3


class Right(StrEnum):
    """What staff may do without reading chats. Each is the name of a permission."""

    FIGURES = "view_figures"  # analytics, without people
    AUDIT_LOG = "view_audit_log"
    DATA_PROTECTION = "protect_data"  # requests of people for their data
    EVALUATION = "evaluate_models"  # datasets of questions, and runs that answer them again


PERMISSIONS = {
    "chat.administer_review": Role.ADMINISTRATOR,
    "chat.lead_review": Role.LEAD,
    "chat.review": Role.REVIEWER,
    **{f"chat.{right}": Role.NONE for right in Right},
}
#: The lowest role that includes a right.
INCLUDED_FROM = {
    Right.FIGURES: Role.LEAD,
    Right.AUDIT_LOG: Role.LEAD,
    Right.DATA_PROTECTION: Role.ADMINISTRATOR,
    Right.EVALUATION: Role.ADMINISTRATOR,
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
    #: Whether they see messages that staff have hidden, with their images and files.
    reads_hidden: bool = True
    #: The right that alone allows what they do now; None: their role does.
    right: Right | None = None
    #: A service key of theirs acts, to which what they did themselves doesn't belong.
    is_program: bool = False

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


def role_of(user: User | AnonymousUser) -> Role | None:
    """Return the role of `user`; None if they are no staff of review."""
    if not isinstance(user, User) or not user.is_active:
        return None
    return next((each for name, each in PERMISSIONS.items() if user.has_perm(name)), None)


def reviewer_of(user: User | AnonymousUser) -> Reviewer | None:
    """Return what `user` may review; None if they may not review at all."""
    role = role_of(user)
    if not role or not isinstance(user, User):
        return None
    if role is Role.ADMINISTRATOR:
        return Reviewer(user.pk, role, None, is_superuser=user.is_superuser)
    return Reviewer(user.pk, role, *_scope(user))


def holder_of(user: User | AnonymousUser, right: Right) -> Reviewer:
    """Return `user` as somebody who uses `right`. Raise `NotFound` if they don't have it.

    If it isn't their role that includes it, they read no chats with it, and their scopes limit
    figures only: without a scope, these are everybody's.
    """
    if right not in rights_of(user) or not isinstance(user, User):
        raise NotFound
    reviewer = reviewer_of(user)
    if reviewer and reviewer.role >= INCLUDED_FROM[right]:
        return reviewer
    groups, sites = _scope(user) if right is Right.FIGURES else (None, frozenset[int]())
    if not groups and not sites:
        groups = None
    return Reviewer(user.pk, Role.NONE, groups, sites, right=right)


def rights_of(user: User | AnonymousUser) -> frozenset[Right]:
    """Return the rights of `user`, with those that their role includes."""
    role = role_of(user)
    if role is None:
        return frozenset()
    return frozenset(
        each for each in Right if role >= INCLUDED_FROM[each] or user.has_perm(f"chat.{each}")
    )


def staff_among(people: QuerySet[User], least: Role = Role.REVIEWER) -> QuerySet[User]:
    """Return those of `people` who have at least this role: one condition, for queries."""
    names = [name.removeprefix("chat.") for name, role in PERMISSIONS.items() if role >= least]
    return _permitted(people, names)


def holders_among(people: QuerySet[User], *rights: Right) -> QuerySet[User]:
    """Return those of `people` who were given one of these rights, or all: superusers."""
    return _permitted(people, rights)


def staff_with(right: Right) -> QuerySet[User]:
    """Return all staff who have this right, by a role or by itself."""
    roles = [name for name, role in PERMISSIONS.items() if role >= INCLUDED_FROM[right]]
    names = [right, *(name.removeprefix("chat.") for name in roles)]
    people = _permitted(User.objects.filter(closed_at=None), names)
    return people.distinct().order_by("name", "email")


def _permitted(people: QuerySet[User], names: Iterable[str]) -> QuerySet[User]:
    rights = Permission.objects.filter(content_type__app_label="chat", codename__in=list(names))
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


def require(
    user: User | AnonymousUser, needed: Role | Right, or_right: Right | None = None
) -> Reviewer:
    """Return the reviewer. Raise `NotFound` if they lack the role or right, and the other one.

    `Role.NONE` is enough for all staff; with rights only, they read nothing by it.
    """
    if or_right in rights_of(user) and (role_of(user) or Role.NONE) is Role.NONE:
        needed = or_right or needed
    if isinstance(needed, Right):
        return holder_of(user, needed)
    if needed is Role.NONE and isinstance(user, User) and rights_of(user):
        return reviewer_of(user) or Reviewer(user.pk, Role.NONE, frozenset())
    return require_reviewer(user, needed)


def reloaded(reviewer: Reviewer, needed: Role | Right) -> Reviewer:
    """Return the reviewer with current permissions, for work that outlasts a request.

    Raise `NotFound` if they lack the role or right now.
    """
    return require(User.objects.filter(pk=reviewer.user_id).first() or AnonymousUser(), needed)


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
