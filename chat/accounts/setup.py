"""Create the first superuser, once, through a link that only the server's operator has seen."""

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from chat.accounts.actor import SERVER, attributed_to
from chat.accounts.models import SetupLink, User


def is_needed() -> bool:
    """Return whether the site has no superuser yet."""
    return not User.objects.filter(is_superuser=True).exists()


@transaction.atomic
def make_first_staff(token: str, email: str, password: str) -> User | None:
    """Return the new account; None if the link was used, has expired or is unknown."""
    claimed = SetupLink.objects.open().with_token(token).update(used_at=timezone.now())
    if not claimed:
        return None
    with attributed_to(SERVER, "setup link"):
        user = User.objects.create_superuser(email, password)
    # The link proves access to the server. Mail may not be configured yet, so none is required.
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user
