"""Which sessions count: what Django asks with each request, for many sessions at a time.

A request asks once. Streams and WebSockets outlast theirs, so the layers above ask again for all
that are open.
"""

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from chat.accounts.models import User


def members_of(session_keys: Collection[str]) -> dict[str, int]:
    """Return the member's id for each of `session_keys` that is still signed in.

    Missing are sessions that expired or were ended, whose member is switched off or gone, and those
    that began before the password changed: a session holds a keyed hash of the one it began with.
    """
    found = Session.objects.filter(session_key__in=session_keys, expire_date__gt=timezone.now())
    sessions = {each.session_key: each.get_decoded() for each in found}
    ids = {data[SESSION_KEY] for data in sessions.values() if SESSION_KEY in data}
    users = User.objects.filter(pk__in=ids, is_active=True).only("password")
    members = {str(user.pk): (user.pk, _hashes_of(user)) for user in users}
    signed_in: dict[str, int] = {}
    for key, data in sessions.items():
        user_id, hashes = members.get(data.get(SESSION_KEY, ""), (0, []))
        if _is_valid(data, hashes):
            signed_in[key] = user_id
    return signed_in


def _hashes_of(user: User) -> list[str]:
    """What a session of `user` may hold, under the present secret key and those before it."""
    return [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]


def _is_valid(data: dict[str, Any], hashes: list[str]) -> bool:
    if data.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return False
    held = data.get(HASH_SESSION_KEY, "")
    return any(constant_time_compare(held, each) for each in hashes)
