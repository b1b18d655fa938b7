"""Who has shown that an email address is theirs, by opening a link that was sent to it.

Anybody can sign up with any address where confirming it is optional. So a right that is given to an
address goes only to whoever has confirmed it.
"""

from allauth.account.models import EmailAddress

from chat.accounts.models import User


def owner_of(email: str) -> User | None:
    """Return the active member who has confirmed this address; None if nobody has."""
    return User.objects.filter(
        emailaddress__email__iexact=email,
        emailaddress__verified=True,
        is_active=True,
        closed_at=None,
    ).first()


def addresses_of(user: User) -> list[str]:
    """Return the addresses that the member has confirmed."""
    addresses = EmailAddress.objects.filter(user=user, verified=True)
    return list(addresses.values_list("email", flat=True))
