"""Remember a visitor in a cookie, separately for each website.

The cookie is partitioned: browsers that block third-party cookies accept it, one for each website
that embeds the chat. Two sites on one website must not share it either, so its name contains the
site key. Django 5.2 cannot write `Partitioned`, so the header is written here.
"""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.widget_sites.visitor_tokens import LIFETIMES, Kind

ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=None; Partitioned"


def cookie_name(site_key: str) -> str:
    """Return the cookie's name. Without HTTPS, browsers refuse the `__Host-` prefix."""
    return f"{'__Host-' if settings.SECURE else ''}visitor-{site_key}"


def cookie_of(request: HttpRequest, site_key: str) -> str:
    return request.COOKIES.get(cookie_name(site_key), "")


def remember(response: HttpResponseBase, site_key: str, token: str) -> None:
    seconds = int(LIFETIMES[Kind.COOKIE].total_seconds())
    _set(response, site_key, f"{token}; Max-Age={seconds}")


def forget(response: HttpResponseBase, site_key: str) -> None:
    _set(response, site_key, "; Max-Age=0")


def _set(response: HttpResponseBase, site_key: str, value: str) -> None:
    response.headers["Set-Cookie"] = f"{cookie_name(site_key)}={value}; {ATTRIBUTES}"
