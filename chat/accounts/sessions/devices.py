"""Where a member is signed in: a row for each of their sessions, and ending one.

The row is made at sign-in. Each request notes in memory that its session was seen; a chore writes
that about once a minute, so no request waits for it. Network addresses are not stored.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.utils import timezone

from chat.accounts.known_request import KnownRequest
from chat.accounts.models import User
from chat.accounts.sessions import session_rights
from chat.accounts.sessions.user_agents import browser_name

#: Whoever signs in once more loses the session that was not seen for the longest time.
MAX_DEVICES = 50
#: Sessions that are noted between two writes; of more than that, some are seen a little later.
MAX_NOTED = 10_000
AT_ONCE = 500
NO_ADDRESS = "0.0.0.0"  # noqa: S104  (allauth's table wants one)

#: Key and browser of each session that was seen since the last write.
_noted: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Device:
    """A session, as its member sees it."""

    id: int
    browser: str
    since: datetime
    last_seen: datetime
    is_this: bool


def wire() -> None:
    """Keep the rows in step with signing in and out."""
    user_logged_in.connect(_on_signed_in)
    user_logged_out.connect(_on_signed_out)


def note(session_key: str, user_agent: str) -> None:
    """Remember that this session was seen now."""
    if len(_noted) < MAX_NOTED:
        _noted[session_key] = user_agent


def store_noted() -> None:
    """Write when the noted sessions were seen; make the rows that are missing.

    A session has none where its key was changed, or where it began before there were rows.
    """
    noted = {}
    while _noted:
        key, user_agent = _noted.popitem()
        noted[key] = user_agent
    now = timezone.now()
    everything = list(noted)
    for start in range(0, len(everything), AT_ONCE):
        keys = everything[start : start + AT_ONCE]
        found = UserSession.objects.filter(session_key__in=keys)
        found.update(last_seen_at=now)
        missing = set(keys) - set(found.values_list("session_key", flat=True))
        if missing:
            members = session_rights.members_of(missing)
            rows = [_row(user_id, key, noted[key]) for key, user_id in members.items()]
            UserSession.objects.bulk_create(rows, ignore_conflicts=True)


def devices_of(user_id: int, session_key: str | None) -> list[Device]:
    """Return the sessions of a member that still count: this one first, then the last seen."""
    store_noted()
    rows = list(UserSession.objects.filter(user_id=user_id))
    signed_in = session_rights.members_of({row.session_key for row in rows})
    found = [
        Device(
            id=row.pk,
            browser=browser_name(row.user_agent),
            since=row.created_at,
            last_seen=row.last_seen_at,
            is_this=row.session_key == session_key,
        )
        for row in rows
        if signed_in.get(row.session_key) == user_id
    ]
    return sorted(found, key=lambda each: (each.is_this, each.last_seen), reverse=True)


def end(user_id: int, device_id: int) -> bool:
    """Sign out one device of this member; False if they have none of this id."""
    return _end(UserSession.objects.filter(user_id=user_id, pk=device_id))


def end_others(user_id: int, session_key: str | None) -> bool:
    """Sign out all devices of this member but the one with this session."""
    store_noted()
    return _end(UserSession.objects.filter(user_id=user_id).exclude(session_key=session_key or ""))


def forget(user: User) -> None:
    """Remove what is known of the devices of an account that is closed."""
    UserSession.objects.filter(user=user).delete()


def remove_over() -> int:
    """Remove one batch of rows whose session is gone; return how many."""
    of_row = Session.objects.filter(session_key=OuterRef("session_key"))
    over = UserSession.objects.filter(~Exists(of_row)).values_list("pk", flat=True)[:AT_ONCE]
    return int(UserSession.objects.filter(pk__in=list(over)).delete()[0])


def _end(found: Iterable[Any]) -> bool:
    rows = list(found)
    get_adapter().end_sessions(rows)
    return bool(rows)


def _row(user_id: int, session_key: str, user_agent: str) -> UserSession:
    length = UserSession._meta.get_field("user_agent").max_length
    return UserSession(
        user_id=user_id, session_key=session_key, ip=NO_ADDRESS, user_agent=user_agent[:length]
    )


def _on_signed_in(sender: object, request: KnownRequest, user: User, **_named: object) -> None:
    request.signed_in_id = user.pk  # for DeviceMiddleware
    if not request.session.session_key:
        request.session.save()
    row = _row(user.pk, str(request.session.session_key), request.headers.get("User-Agent", ""))
    UserSession.objects.filter(session_key=row.session_key).delete()
    row.save()
    mine = UserSession.objects.filter(user=user).order_by("-last_seen_at", "-pk")
    _end(mine[MAX_DEVICES:])


def _on_signed_out(sender: object, request: HttpRequest, **_named: object) -> None:
    key = request.session.session_key
    if key:
        UserSession.objects.filter(session_key=key).delete()
