"""Remove expired sessions, invitations, setup links and cache entries.

Django and allauth do not do so by themselves. It is done in batches, so that nothing waits for it.
"""

from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone

from chat.accounts.models import Invitation, SetupLink
from chat.accounts.sessions.session_store import UserSession

AT_ONCE = 1000
#: How long staff still see an expired invitation.
INVITATIONS_KEPT = timedelta(days=30)


def remove_expired() -> int:
    """Remove one batch of each; return the number of rows."""
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
    """Remove expired cache entries.

    Django only removes them once there are too many, and until then network addresses would be
    kept.
    """
    cache = settings.CACHES["default"]
    name = cache.get("OPTIONS", {}).get("table")  # besides Redis
    if cache["BACKEND"].endswith(".TableCache"):
        name = cache["LOCATION"]
    if not name:
        return 0
    table, column = map(connection.ops.quote_name, (name, "expires"))
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE {column} < %s", [now])  # noqa: S608
        return int(cursor.rowcount)
