"""Who has shown that an email address is theirs, by opening a link that was sent to it.

Anybody can sign up with any address where confirming it is optional. So a right that is given to an
address goes only to whoever has confirmed it.
"""

from collections.abc import Iterable
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import QuerySet
from django.db.models.functions import Lower

from chat.accounts.models import User


def owner_of(email: str) -> User | None:
    """Return the active member who has confirmed this address; None if nobody has."""
    return User.objects.filter(
        emailaddress__email__same=email,
        emailaddress__verified=True,
        is_active=True,
        closed_at=None,
    ).first()


def addresses_of(user: User) -> list[str]:
    """Return the addresses that the member has confirmed."""
    addresses = EmailAddress.objects.filter(user=user, verified=True)
    return list(addresses.values_list("email", flat=True))


def has_unconfirmed(user: User) -> bool:
    """Return whether the member has an address, or their only one, still to confirm."""
    confirmed = EmailAddress.objects.filter(user=user).values_list("verified", flat=True)
    return not confirmed or not all(confirmed)


def owners_of(emails: Iterable[str]) -> dict[str, int]:
    """Return which of these lower-case addresses an active member has confirmed, and their id."""
    confirmed = EmailAddress.objects.annotate(lower=Lower("email")).filter(
        lower__in=list(emails), verified=True, user__is_active=True, user__closed_at=None
    )
    return dict(confirmed.values_list("lower", "user"))


def lower_case_addresses(user_id: Any) -> QuerySet[Any, Any]:
    """Return a subquery of the addresses that this member has confirmed, in lower case."""
    confirmed = EmailAddress.objects.filter(user=user_id, verified=True)
    return confirmed.values_list(Lower("email"), flat=True)
