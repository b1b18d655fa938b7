"""Removing what is over: sessions, invitations and setup links, and entries of the cache.

Django and allauth never remove any of it by themselves. A batch at a time: nobody waits for it.
"""

from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone

from chat.accounts.models import Invitation, SetupLink
from chat.accounts.sessions.session_store import UserSession

AT_ONCE = 1000
#: So long the staff sees that an invitation was not taken up.
INVITATIONS_KEPT = timedelta(days=30)


def remove_expired() -> int:
    """Remove one batch of each; return how many rows."""
    return _sessions() + _links() + _cache_entries()


def _sessions() -> int:
    due = UserSession.objects.filter(expire_date__lt=timezone.now()).order_by("expire_date")
    keys = list(due.values_list("pk", flat=True)[:AT_ONCE])
    return UserSession.objects.filter(pk__in=keys).delete()[0] if keys else 0


def _links() -> int:
    now = timezone.now()
    count, _ = Invitation.objects.filter(expires_at__lt=now - INVITATIONS_KEPT).delete()
    more, _ = SetupLink.objects.filter(created_at__lt=now - SetupLink.LIFETIME).delete()
    return count + more


def _cache_entries() -> int:
    """Django removes them only once there are too many: until then network addresses stay."""
    cache = settings.CACHES["default"]
    if not cache["BACKEND"].endswith("DatabaseCache"):
        return 0
    table, column = map(connection.ops.quote_name, (cache["LOCATION"], "expires"))
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE {column} < %s", [now])  # noqa: S608
        return int(cursor.rowcount)
