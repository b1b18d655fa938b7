"""Who of the staff may do what, with whose words: from the permissions of their groups."""

from dataclasses import dataclass
from enum import IntEnum

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from chat.accounts.models import User
from chat.errors import NotFound
from chat.review.models import ReviewScope


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
    """One of the staff. `groups` are those whose members they may review; None is everybody."""

    user_id: int
    role: Role
    groups: frozenset[int] | None

    @property
    def people(self) -> QuerySet[User]:
        """Whom they may review."""
        found = User.objects.filter(left_at=None)
        return found if self.groups is None else found.filter(pk__in=self._members)

    def within(self, owner: str) -> Q:
        """What belongs to those people, of a query whose field `owner` says whose it is."""
        return Q() if self.groups is None else Q(**{f"{owner}__in": self._members})

    @property
    def _members(self) -> QuerySet[User, int]:
        found = User.objects.filter(groups__in=self.groups or ())
        return found.values_list("pk", flat=True)


def may(user: User | AnonymousUser) -> Reviewer | None:
    """What `user` may do here; None for whoever is not of the staff that reviews."""
    if not isinstance(user, User) or not user.is_active:
        return None
    role = next((each for name, each in PERMISSIONS.items() if user.has_perm(name)), None)
    if role is None:
        return None
    return Reviewer(user.pk, role, None if role is Role.ADMINISTRATOR else _groups(user))


def require(user: User | AnonymousUser, role: Role = Role.REVIEWER) -> Reviewer:
    """As `may`; `NotFound` for whoever may less than `role`."""
    reviewer = may(user)
    if reviewer is None or reviewer.role < role:
        raise NotFound
    return reviewer


def _groups(user: User) -> frozenset[int] | None:
    scopes = ReviewScope.objects.filter(Q(reviewer=user) | Q(team__in=user.groups.all()))
    found = set(scopes.values_list("members", flat=True))
    return None if None in found else frozenset(each for each in found if each is not None)
