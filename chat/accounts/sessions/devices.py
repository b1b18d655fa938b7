"""List the devices on which a member is signed in, and end their sessions.

Each session is a device. Requests record in memory that their session was seen, and a periodic task
stores that about once a minute, so no request waits for it. Network addresses are not stored.
"""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.signals import user_logged_in
from django.db import DatabaseError
from django.utils import timezone

from chat.accounts.known_request import KnownRequest
from chat.accounts.models import User
from chat.accounts.sessions import session_rights
from chat.accounts.sessions.session_store import USER_AGENT_LENGTH, UserSession
from chat.accounts.sessions.user_agents import browser_name

#: Beyond this number, signing in ends the session that was not seen for longest.
MAX_DEVICES = 50
#: Sessions recorded between two writes; beyond that, some are recorded a little later.
MAX_PENDING = 10_000
AT_ONCE = 500

#: Key and browser of each session seen since the last write.
_seen: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Device:
    """A session as shown to its member."""

    id: uuid.UUID
    browser: str
    since: datetime
    last_seen: datetime
    is_this: bool


def connect_signals() -> None:
    """Connect the signal that records the device at each sign-in."""
    user_logged_in.connect(_on_signed_in)


def record_seen(session_key: str, user_agent: str) -> None:
    """Record that this session was seen now."""
    if len(_seen) < MAX_PENDING:
        _seen[session_key] = user_agent


def store_seen() -> None:
    """Store when the recorded sessions were seen, and browsers that were not known yet.

    A session whose key has changed is a new row without a browser.
    """
    noted = {}
    while _seen:
        key, user_agent = _seen.popitem()
        noted[key] = user_agent
    try:
        _store(noted)
    except DatabaseError:
        for key, user_agent in noted.items():  # for the next time
            _seen.setdefault(key, user_agent)
        raise


def _store(noted: dict[str, str]) -> None:
    now = timezone.now()
    everything = list(noted)
    for start in range(0, len(everything), AT_ONCE):
        sessions = UserSession.objects.filter(session_key__in=everything[start : start + AT_ONCE])
        sessions.update(last_seen_at=now)
        unknown = list(sessions.filter(user_agent="").only("session_key"))
        for row in unknown:
            row.user_agent = noted[row.session_key][:USER_AGENT_LENGTH]
        if unknown:
            UserSession.objects.bulk_update(unknown, ["user_agent"])


def devices_of(user_id: int, session_key: str | None) -> list[Device]:
    """Return a member's active sessions: the current one first, then by last use.

    Those seen since the last write were seen in the last minute, which is shown as now.
    """
    now, seen = timezone.now(), dict(_seen)
    rows = list(UserSession.objects.filter(user=user_id).defer("session_data"))
    signed_in = session_rights.members_of({row.session_key for row in rows})
    devices = [
        Device(
            id=row.device_id,
            browser=browser_name(row.user_agent or seen.get(row.session_key, "")),
            since=row.created_at,
            last_seen=now if row.session_key in seen else row.last_seen_at,
            is_this=row.session_key == session_key,
        )
        for row in rows
        if row.session_key in signed_in
    ]
    return sorted(devices, key=lambda each: (each.is_this, each.last_seen), reverse=True)


def end(user_id: int, device_id: uuid.UUID) -> bool:
    """Sign out one device of this member; return False if they have none with this id."""
    return bool(UserSession.objects.filter(user=user_id, device_id=device_id).delete()[0])


def end_others(user_id: int, session_key: str | None) -> None:
    """Sign out all devices of this member except the one with this session."""
    UserSession.objects.filter(user=user_id).exclude(session_key=session_key or "").delete()


def end_all(user_id: int) -> None:
    """Sign this member out everywhere."""
    UserSession.objects.filter(user=user_id).delete()


def _on_signed_in(sender: object, request: KnownRequest, user: User, **_named: object) -> None:
    request.signed_in_id = user.pk  # for DeviceMiddleware
    request.session.save()  # stores the row with its user
    user_agent = request.headers.get("User-Agent", "")[:USER_AGENT_LENGTH]
    mine = UserSession.objects.filter(user=user)
    mine.filter(session_key=request.session.session_key).update(user_agent=user_agent)
    _end_all_but_the_last(mine.order_by("-last_seen_at").values_list("pk", flat=True))


def _end_all_but_the_last(keys: Iterable[str]) -> None:
    if too_many := list(keys)[MAX_DEVICES:]:
        UserSession.objects.filter(pk__in=too_many).delete()
