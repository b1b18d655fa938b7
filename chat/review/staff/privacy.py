"""Whether the staff may know whose words they read: `REVIEW_PRIVACY`."""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from chat.accounts.models import User
from chat.errors import NotFound
from chat.review.staff.roles import Reviewer, Role
from chat.widget_sites.models import Visitor

NORMAL, PSEUDONYMOUS, OFF = "normal", "pseudonymous", "off"
CODE_LENGTH = 8
MOST_FOUND = 100


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody as the staff may know them; `key` names them in addresses, but who left has none.

    `site` is the website that they are a visitor of.
    """

    key: str
    name: str
    email: str = ""
    site: str = ""

    def __str__(self) -> str:
        return self.name


def is_open() -> bool:
    """Whether anybody is to read what others said."""
    return bool(settings.REVIEW_PRIVACY != OFF)


def require_open() -> None:
    """`NotFound` where nobody is."""
    if not is_open():
        raise NotFound


def knows_names(reviewer: Reviewer) -> bool:
    """Administrators look after accounts, and know whose they are anyway."""
    return settings.REVIEW_PRIVACY == NORMAL or reviewer.role is Role.ADMINISTRATOR


def shown(reviewer: Reviewer, user: User) -> Person:
    if user.closed_at:
        return Person("", _("Deleted user"))
    code = pseudonym(user.pk)
    if user.is_visitor:
        return _visitor(reviewer, user.visitor, code)
    if knows_names(reviewer):
        return Person(str(user.pk), str(user), user.email)
    return Person(code, _("Person {code}").format(code=code))


def _visitor(reviewer: Reviewer, visitor: Visitor, code: str) -> Person:
    """Whoever has no account here is known by what their website calls them, if it does."""
    site, unnamed = visitor.site.name, _("Visitor {code}").format(code=code)
    if knows_names(reviewer):
        return Person(str(visitor.user_id), visitor.name or unnamed, site=site)
    return Person(code, unnamed, site=site)


def found(reviewer: Reviewer, text: str) -> list[int]:
    """The people that `text` may mean, among those whom `reviewer` may review."""
    people = reviewer.people
    if knows_names(reviewer):
        if text.isascii() and text.isdigit():
            return list(people.filter(pk=int(text)).values_list("pk", flat=True))
        member = Q(email__icontains=text, is_visitor=False) | Q(name__icontains=text)
        matching = people.filter(member | Q(visitor__name__icontains=text))
        return list(matching.values_list("pk", flat=True)[:MOST_FOUND])
    return _with_code(people, text.rpartition(" ")[2])


def with_key(reviewer: Reviewer, key: str) -> User | None:
    """Whom the key of a `Person` names, among those whom `reviewer` may review."""
    return _with_key(reviewer, key, reviewer.people)


def anybody_with_key(reviewer: Reviewer, key: str) -> User | None:
    """Whom it would name if `reviewer` might review everybody."""
    return _with_key(reviewer, key, User.all_objects.filter(closed_at=None))


def _with_key(reviewer: Reviewer, key: str, people: QuerySet[User]) -> User | None:
    people = people.select_related("visitor__site")
    if not knows_names(reviewer):
        ids = _with_code(people, key)  # two of one code are nobody: better none than the wrong one
        return people.filter(pk=ids[0]).first() if len(ids) == 1 else None
    is_number = key.isascii() and key.isdigit() and len(key) <= 18
    return people.filter(pk=int(key)).first() if is_number else None


def users(ids: Iterable[int]) -> dict[int, User]:
    """Members and visitors, with what `shown` needs of them."""
    return User.all_objects.select_related("visitor__site").in_bulk(list(ids))


def _with_code(people: QuerySet[User], code: str) -> list[int]:
    return [pk for pk in people.values_list("pk", flat=True) if pseudonym(pk) == code.upper()]


def pseudonym(user_id: int) -> str:
    """The same for one person always, and nobody's whom one could look up."""
    digest = hmac.digest(_key(), str(user_id).encode(), hashlib.sha256)
    return digest.hex()[:CODE_LENGTH].upper()


def _key() -> bytes:
    return b"runnel.pseudonym" + (settings.AUDIT_KEY or settings.SECRET_KEY).encode()
