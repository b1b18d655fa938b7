"""Decide whether staff learn whose messages they read: `REVIEW_PRIVACY`."""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from chat.accounts.models import User
from chat.errors import NotFound
from chat.lib.whole_number import whole_number
from chat.review.staff.people_search import named
from chat.review.staff.roles import Reviewer, Right, Role
from chat.widget_sites.models import Visitor

NORMAL, PSEUDONYMOUS, OFF = "normal", "pseudonymous", "off"
CODE_LENGTH = 8
MAX_FOUND = 100


@dataclass(frozen=True, slots=True)
class ShownUser:
    """A user as staff may know them.

    `key` names them in URLs; it is empty for deleted users. `site` is the name of the
    website that they visit, and `site_key` is its key.
    """

    key: str
    name: str
    email: str = ""
    site: str = ""
    site_key: str = ""

    def __str__(self) -> str:
        return self.name


def is_reading_allowed() -> bool:
    """Return True if staff may read other people's messages at all."""
    return bool(settings.REVIEW_PRIVACY != OFF)


def require_reading_allowed() -> None:
    """Raise `NotFound` if staff may not read other people's messages at all."""
    if not is_reading_allowed():
        raise NotFound


def sees_names(reviewer: Reviewer) -> bool:
    """Return True if the reviewer sees names.

    Those who manage accounts do, and those who answer people's requests for their data.
    """
    knows_all = reviewer.role is Role.ADMINISTRATOR or reviewer.right is Right.DATA_PROTECTION
    return settings.REVIEW_PRIVACY == NORMAL or knows_all


def shown_user(reviewer: Reviewer, user: User | None) -> ShownUser:
    """Return the user as the reviewer may know them. None: the account was deleted."""
    if user is None or user.closed_at:
        return ShownUser("", _("Deleted user"))
    code = pseudonym(user.pk)
    if user.is_visitor:
        return _visitor(reviewer, user.visitor, code)
    if sees_names(reviewer):
        return ShownUser(str(user.pk), str(user), user.email)
    return ShownUser(code, _("Person {code}").format(code=code))


def _visitor(reviewer: Reviewer, visitor: Visitor, code: str) -> ShownUser:
    """Return a visitor, named as their website names them, if it does."""
    site, unnamed = visitor.site, _("Visitor {code}").format(code=code)
    if sees_names(reviewer):
        return ShownUser(str(visitor.user_id), visitor.name or unnamed, "", site.name, site.key)
    return ShownUser(code, unnamed, "", site.name, site.key)


def find_users(reviewer: Reviewer, text: str, *, only_members: bool = False) -> list[int]:
    """Return the IDs of people that `text` may mean, within the reviewer's scope."""
    people = reviewer.people.filter(is_visitor=False) if only_members else reviewer.people
    if sees_names(reviewer):
        if text.isascii() and text.isdigit():
            return list(people.filter(pk=int(text)).values_list("pk", flat=True))
        return list(people.filter(named(text)).values_list("pk", flat=True)[:MAX_FOUND])
    return _with_code(people, text.rpartition(" ")[2])


def find_by_key(reviewer: Reviewer, key: str) -> User | None:
    """Return the user with the key of a `ShownUser`, within the reviewer's scope, or None."""
    return _with_key(reviewer, key, reviewer.people)


def find_by_key_in_any_scope(reviewer: Reviewer, key: str) -> User | None:
    """Return the user whom the key would name if the scope were everyone."""
    return _with_key(reviewer, key, User.all_objects.filter(closed_at=None))


def _with_key(reviewer: Reviewer, key: str, people: QuerySet[User]) -> User | None:
    people = people.select_related("visitor__site")
    if not sees_names(reviewer):
        # If two people share a code, return neither rather than the wrong one.
        ids = _with_code(people, key)
        return people.filter(pk=ids[0]).first() if len(ids) == 1 else None
    number = whole_number(key)
    return people.filter(pk=number).first() if number is not None else None


def load_users(ids: Iterable[int]) -> dict[int, User]:
    """Return members and visitors by ID, with the related rows that `shown` reads."""
    return User.all_objects.select_related("visitor__site").in_bulk(list(ids))


def _with_code(people: QuerySet[User], code: str) -> list[int]:
    return [pk for pk in people.values_list("pk", flat=True) if pseudonym(pk) == code.upper()]


def pseudonym(user_id: int) -> str:
    """Return a stable code for a user, which cannot be reversed without the key."""
    digest = hmac.digest(_key(), str(user_id).encode(), hashlib.sha256)
    return digest.hex()[:CODE_LENGTH].upper()


def _key() -> bytes:
    return b"runnel.pseudonym" + (settings.AUDIT_KEY or settings.SECRET_KEY).encode()
