"""Give a session a new key when its member confirms who they are (ASVS 7.2.4).

Signing in does this anyway. A key that somebody learned before is then of no use for what asks for
the password first.
"""

from typing import Any

from allauth.account.signals import authentication_step_completed
from django.http import HttpRequest

from chat.accounts.sessions.session_store import UserSession

#: What makes a session the same device to its member.
DEVICE = ("device_id", "user_agent", "created_at")


def connect_signals() -> None:
    authentication_step_completed.connect(_on_step)


def _on_step(request: HttpRequest, reauthenticated: bool = False, **about: Any) -> None:
    if reauthenticated:
        _renew(request)


def _renew(request: HttpRequest) -> None:
    before = UserSession.objects.filter(session_key=request.session.session_key)
    device = before.values(*DEVICE).first()
    request.session.cycle_key()
    if device:
        UserSession.objects.filter(session_key=request.session.session_key).update(**device)
