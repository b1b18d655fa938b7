"""Who of the staff may do what, with whose words: from the permissions of their groups."""

from dataclasses import dataclass
from enum import IntEnum

from django.contrib.auth.models import AnonymousUser, Permission
from django.db.models import Q, QuerySet

from chat.accounts.models import User
from chat.errors import NotFound
from chat.review.models import ReviewScope
from chat.widget_sites.models import Visitor


class Role(IntEnum):
    """Each may what those before it may."""

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
    """One of the staff. They may review members of `groups` and visitors of `sites`, or all.

    `groups` of somebody who may review everybody is None.
    """

    user_id: int
    role: Role
    groups: frozenset[int] | None
    sites: frozenset[int] = frozenset()
    is_superuser: bool = False

    @property
    def people(self) -> QuerySet[User]:
        """Whom they may review."""
        return User.all_objects.filter(self.within("pk"), closed_at=None)

    def within(self, owner: str) -> Q:
        """What belongs to those people, of a query whose field `owner` says whose it is."""
        if self.groups is None:
            return Q()
        members = User.objects.filter(groups__in=self.groups)
        theirs = Q(**{f"{owner}__in": members.values("pk")})
        if not self.sites:
            return theirs
        visitors = Visitor.objects.filter(site__in=self.sites)
        return theirs | Q(**{f"{owner}__in": visitors.values("user")})


def may(user: User | AnonymousUser) -> Reviewer | None:
    """What `user` may do here; None for whoever is not of the staff that reviews."""
    if not isinstance(user, User) or not user.is_active:
        return None
    role = next((each for name, each in PERMISSIONS.items() if user.has_perm(name)), None)
    if role is None:
        return None
    if role is Role.ADMINISTRATOR:
        return Reviewer(user.pk, role, None, is_superuser=user.is_superuser)
    return Reviewer(user.pk, role, *_scope(user))


def reviewers_among(people: QuerySet[User]) -> QuerySet[User]:
    """Those of `people` whom `may` gives a role: one condition, for queries."""
    names = [name.removeprefix("chat.") for name in PERMISSIONS]
    rights = Permission.objects.filter(content_type__app_label="chat", codename__in=names)
    return people.filter(
        Q(is_superuser=True) | Q(groups__permissions__in=rights) | Q(user_permissions__in=rights),
        is_active=True,
    )


def require(user: User | AnonymousUser, role: Role = Role.REVIEWER) -> Reviewer:
    """As `may`; `NotFound` for whoever may less than `role`."""
    reviewer = may(user)
    if reviewer is None or reviewer.role < role:
        raise NotFound
    return reviewer


def renewed(reviewer: Reviewer, least: Role) -> Reviewer:
    """Return what they may do by now, for work that outlasts a request.

    Raises `NotFound` once it is less than `least`.
    """
    return require(User.objects.filter(pk=reviewer.user_id).first() or AnonymousUser(), least)


def staff(least: Role = Role.REVIEWER) -> QuerySet[User]:
    """All that review, in this role or a higher one."""
    found = User.objects.filter(_given(least), is_active=True, closed_at=None)
    return found.distinct().order_by("name", "email")


def peers(reviewer: Reviewer) -> QuerySet[User]:
    """Whom `reviewer` neither judges nor changes: themselves, and whoever may as much as they.

    Who is suspended may as much, once they are let in again. A superuser stands above all others.
    """
    themselves = Q(pk=reviewer.user_id)
    others = Q() if reviewer.is_superuser else _given(reviewer.role)
    return User.objects.filter(themselves | others, closed_at=None)


def _given(least: Role) -> Q:
    names = [name.partition(".")[2] for name, role in PERMISSIONS.items() if role >= least]
    given = Q(user_permissions__codename__in=names) | Q(groups__permissions__codename__in=names)
    return given | Q(is_superuser=True)


def _scope(user: User) -> tuple[frozenset[int] | None, frozenset[int]]:
    """Groups, None for everybody; and sites."""
    scopes = ReviewScope.objects.filter(Q(reviewer=user) | Q(team__in=user.groups.all()))
    if scopes.filter(members=None, site=None).exists():
        return None, frozenset()
    groups = scopes.exclude(members=None).values_list("members", flat=True)
    sites = scopes.exclude(site=None).values_list("site", flat=True)
    return frozenset(groups), frozenset(sites)
