"""Recognise browsers in which a member has signed in before.

A signed cookie contains the members' ids. Only this site can use it, it is sent to pages below
/accounts/ only, and no network address needs to be stored. Signing out keeps it.
"""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

COOKIE = "known_device"
PATH = "/accounts/"
#: The longest that browsers keep a cookie; each sign-in renews it.
LIFETIME = timedelta(days=400)
#: On a shared device, the members who signed in last are remembered.
MAX_MEMBERS = 20
SALT = "runnel.known_devices"


def is_known(request: HttpRequest, user_id: int) -> bool:
    """Return whether this member has signed in with this browser before."""
    return str(user_id) in _members(request)


def remember(request: HttpRequest, response: HttpResponseBase, user_id: int) -> None:
    """Set the cookie that remembers this member in the browser."""
    others = [each for each in _members(request) if each != str(user_id)]
    response.set_signed_cookie(
        COOKIE,
        ".".join([str(user_id), *others][:MAX_MEMBERS]),
        salt=SALT,
        max_age=int(LIFETIME.total_seconds()),
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _members(request: HttpRequest) -> list[str]:
    """Return the ids in the cookie; none if it is forged or too old."""
    value = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=LIFETIME)
    return value.split(".") if value else []
