"""Keep a site from losing its last administrator, whatever takes the role away."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.errors import BadRequest

#: Given by the group *Administrators*.
PERMISSION = "administer_review"


class LastAdministrator(BadRequest):
    text = _("The site needs at least one administrator.")


def superusers() -> QuerySet[User]:
    """Return the active superusers."""
    return User.objects.filter(is_superuser=True, is_active=True, closed_at=None)


def administrators() -> QuerySet[User]:
    """Return the active administrators, superusers included."""
    is_one = (
        Q(is_superuser=True)
        | Q(user_permissions__codename=PERMISSION)
        | Q(groups__permissions__codename=PERMISSION)
    )
    users = User.objects.filter(is_one, is_active=True, closed_at=None)
    return users.distinct()


def is_last_superuser(user: User) -> bool:
    """Return whether the user is the only active superuser."""
    return user.is_superuser and not superusers().exclude(pk=user.pk).exists()


@contextmanager
def keeping_administrators() -> Iterator[None]:
    """Raise `LastAdministrator` if the block leaves no administrator, or no superuser.

    Use it inside a transaction, which then is undone. A site that has none before may go on so.
    """
    before = superusers().exists(), administrators().exists()
    yield
    if (superusers().exists(), administrators().exists()) < before:
        raise LastAdministrator
