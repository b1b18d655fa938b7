"""Keeping somebody out, for a time or for good.

Whoever is not active is signed out with the next request, and open streams of theirs end with the
next time that the right to read is asked (subscribers.py), in every process.
"""

from datetime import datetime

from django.db import transaction
from django.db.models.functions import Now

from chat.accounts.models import User
from chat.accounts.sessions import devices


def suspend(user: User, until: datetime | None) -> bool:
    """None is for good. False for an account that is switched off for another reason."""
    mine = User.all_objects.filter(pk=user.pk, closed_at=None)
    found = mine.filter(is_active=True) | mine.filter(suspended_at__isnull=False)
    return bool(found.update(is_active=False, suspended_at=Now(), suspended_until=until))


def restore(user: User) -> bool:
    """Lets them in again; False if they were not suspended."""
    found = User.all_objects.filter(
        pk=user.pk, is_active=False, suspended_at__isnull=False, closed_at=None
    )
    return bool(found.update(is_active=True, suspended_at=None, suspended_until=None))


def end_sessions(user: User) -> None:
    """On every device. What is open there ends with the next time that the right is asked."""
    devices.end_all(user.pk)


def let_in_due() -> int:
    """Let in those whose time is over, and return how many.

    Each is saved, so that it is on record (account_changes.py); of two processes at once, the
    first one does it.
    """
    with transaction.atomic():
        due = User.all_objects.filter(is_active=False, suspended_until__lte=Now(), closed_at=None)
        found = list(due.select_for_update())
        for user in found:
            user.is_active, user.suspended_at, user.suspended_until = True, None, None
            user.save(update_fields=["is_active", "suspended_at", "suspended_until"])
    return len(found)
