"""Check which sessions are still valid, as Django does per request, for many at a time.

A request checks once. Streams and WebSockets outlast theirs, so higher layers check all open ones
again.
"""

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from chat.accounts.models import User
from chat.accounts.sessions.session_store import UserSession, is_key
from chat.database.errors import error_for
from chat.database.prepared import PreparedQuery


def members_of(session_keys: Collection[str]) -> dict[str, int]:
    """Return the member's id for each of `session_keys` that is still signed in.

    Left out are sessions that have expired or ended, those of inactive or deleted members, and
    those that began before a change of password: a session stores a keyed hash of the one it began
    with.
    """
    rows = UserSession.objects.filter(
        session_key__in=filter(is_key, session_keys),
        expire_date__gt=timezone.now(),
        user__isnull=False,
    )
    sessions = list(rows.only("session_data", "user_id"))
    users = User.objects.filter(pk__in={each.user_id for each in sessions}, is_active=True)
    hashes = {user.pk: _hashes_of(user) for user in users.only("password")}
    return {
        each.session_key: each.user_id
        for each in sessions
        if each.user_id in hashes and _is_valid(each.get_decoded(), hashes[each.user_id])
    }


def user_of(request: HttpRequest) -> User | AnonymousUser:
    """Return what `django.contrib.auth.get_user` returns, in a fifth of the time.

    Unusual cases are left to Django, which removes sessions that ended. If it cannot write, they
    have ended all the same.
    """
    session = request.session
    user_id = session.get(SESSION_KEY)
    if user_id is None:
        return AnonymousUser()
    user = _active_member.first(int(user_id))
    is_usual = user and _is_valid(session, [user.get_session_auth_hash()])
    if user and is_usual:
        return user
    try:
        return get_user(request)
    except DatabaseError as error:
        if error_for(error) is None:
            raise
        session.modified = False  # or the end of the request would try to store it
        is_valid = user and _is_valid(session, _hashes_of(user))
        return user if user and is_valid else AnonymousUser()


_active_member = PreparedQuery(lambda user_id: User.objects.filter(pk=user_id, is_active=True))


def _hashes_of(user: User) -> list[str]:
    """Return the hashes that valid sessions hold, for the current and earlier secret keys."""
    return [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]


def _is_valid(data: Any, hashes: list[str]) -> bool:
    if data.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return False
    held = data.get(HASH_SESSION_KEY, "")
    return any(constant_time_compare(held, each) for each in hashes)
