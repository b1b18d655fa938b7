"""The first staff account: made once, through a link that only the server's operator has seen."""

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from chat.accounts.actor import SERVER, acting
from chat.accounts.models import SetupLink, User


def is_needed() -> bool:
    return not User.objects.filter(is_superuser=True).exists()


@transaction.atomic
def make_first_staff(token: str, email: str, password: str) -> User | None:
    """The new account, or None where the link is spent, out of date or unknown."""
    claimed = SetupLink.objects.open().with_token(token).update(used_at=timezone.now())
    if not claimed:
        return None
    with acting(SERVER, "setup link"):
        user = User.objects.create_superuser(email, password)
    # Whoever can open the link has the server. No mail has to reach them before they can set it up.
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user
