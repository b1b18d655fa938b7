"""Suspend accounts, for a time or indefinitely.

An inactive user is signed out with the next request, and their open streams end with the next
access check (subscribers.py), in every process.
"""

from datetime import datetime

from django.db import transaction
from django.db.models.functions import Now

from chat.accounts.models import User
from chat.accounts.sessions import devices


def suspend(user: User, until: datetime | None) -> bool:
    """Suspend an account; None for `until` means indefinitely.

    Return False if it is inactive for another reason.
    """
    mine = User.all_objects.filter(pk=user.pk, closed_at=None)
    found = mine.filter(is_active=True) | mine.filter(suspended_at__isnull=False)
    return bool(found.update(is_active=False, suspended_at=Now(), suspended_until=until))


def restore(user: User) -> bool:
    """End a suspension; return False if the account was not suspended."""
    found = User.all_objects.filter(
        pk=user.pk, is_active=False, suspended_at__isnull=False, closed_at=None
    )
    return bool(found.update(is_active=True, suspended_at=None, suspended_until=None))


def end_sessions(user: User) -> None:
    """Sign the user out on every device. Open streams end with the next access check."""
    devices.end_all(user.pk)


def reinstate_due() -> int:
    """Reinstate accounts whose suspension has expired; return how many.

    Each is saved by itself, so that it is recorded (account_changes.py). If several processes do
    this at once, only the first one does.
    """
    with transaction.atomic():
        due = User.all_objects.filter(is_active=False, suspended_until__lte=Now(), closed_at=None)
        found = list(due.select_for_update())
        for user in found:
            user.is_active, user.suspended_at, user.suspended_until = True, None, None
            user.save(update_fields=["is_active", "suspended_at", "suspended_until"])
    return len(found)
