"""Remove expired sessions, invitations, setup links and cache entries.

Django and allauth do not do so by themselves. It is done in batches, so that nothing waits for it.
"""

from datetime import timedelta

from django.utils import timezone

from chat.accounts.models import Invitation, SetupLink
from chat.accounts.sessions.session_store import UserSession
from chat.database.housekeeping import delete_all, delete_batch
from chat.database.table_cache import remove_expired_entries

AT_ONCE = 1000
#: How long staff still see an expired invitation.
INVITATIONS_KEPT = timedelta(days=30)


def remove_expired() -> int:
    """Remove one batch of each; return the number of rows."""
    return _sessions() + _links() + remove_expired_entries()


def _sessions() -> int:
    due = UserSession.objects.filter(expire_date__lt=timezone.now()).order_by("expire_date")
    return delete_batch(due, AT_ONCE)


def _links() -> int:
    now = timezone.now()
    invitations = Invitation.objects.filter(expires_at__lt=now - INVITATIONS_KEPT)
    links = SetupLink.objects.filter(created_at__lt=now - SetupLink.LIFETIME)
    return delete_all(invitations) + delete_all(links)
