"""Telling a browser on which a member has signed in before from a new one.

A signed cookie holds the members' numbers. It says nothing to anybody but this site, goes to the
pages below /accounts/ only, and needs no network address to be stored. Signing out keeps it.
"""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

COOKIE = "known_device"
PATH = "/accounts/"
#: Browsers keep no cookie for longer; each sign-in begins it anew.
LASTS = timedelta(days=400)
#: On a device of many the members who signed in last are known.
MOST_MEMBERS = 20
SALT = "runnel.known_devices"


def knows(request: HttpRequest, user_id: int) -> bool:
    """Return whether this member has signed in with this browser before."""
    return str(user_id) in _members(request)


def remember(request: HttpRequest, response: HttpResponseBase, user_id: int) -> None:
    """Have the browser know from now on that this member signs in with it."""
    others = [each for each in _members(request) if each != str(user_id)]
    response.set_signed_cookie(
        COOKIE,
        ".".join([str(user_id), *others][:MOST_MEMBERS]),
        salt=SALT,
        max_age=int(LASTS.total_seconds()),
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _members(request: HttpRequest) -> list[str]:
    """Return whom the cookie names; a forged or old one names nobody."""
    value = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=LASTS)
    return value.split(".") if value else []
