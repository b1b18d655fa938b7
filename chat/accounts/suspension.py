"""Suspend accounts, for a time or indefinitely.

An inactive user is signed out with the next request, and their open streams end with the next
access check (subscribers.py), in every process.
"""

from datetime import datetime

from django.db import transaction
from django.db.models.functions import Now

from chat.accounts.models import User
from chat.accounts.sessions import devices
from chat.database.housekeeping import isolated, left_out

TASK = "reinstate_account"


def suspend(user: User, until: datetime | None) -> bool:
    """Suspend an account; None for `until` means indefinitely.

    Return False if it is inactive for another reason.
    """
    mine = User.all_objects.filter(pk=user.pk, closed_at=None)
    users = mine.filter(is_active=True) | mine.filter(suspended_at__isnull=False)
    return bool(users.update(is_active=False, suspended_at=Now(), suspended_until=until))


def restore(user: User) -> bool:
    """End a suspension; return False if the account was not suspended."""
    users = User.all_objects.filter(
        pk=user.pk, is_active=False, suspended_at__isnull=False, closed_at=None
    )
    return bool(users.update(is_active=True, suspended_at=None, suspended_until=None))


def end_sessions(user: User) -> None:
    """Sign the user out on every device. Open streams end with the next access check."""
    devices.end_all(user.pk)


def reinstate_due() -> int:
    """Reinstate accounts whose suspension has expired; return how many.

    Each is saved by itself, so that it is recorded (account_changes.py). If several processes do
    this at once, only the first one does.
    """
    due = User.all_objects.filter(is_active=False, suspended_until__lte=Now(), closed_at=None)
    count = 0
    for user_id in list(due.exclude(pk__in=left_out(TASK)).values_list("pk", flat=True)):
        with isolated(TASK, user_id), transaction.atomic():
            for user in due.select_for_update().filter(pk=user_id):
                user.is_active, user.suspended_at, user.suspended_until = True, None, None
                user.save(update_fields=["is_active", "suspended_at", "suspended_until"])
                count += 1
    return count
