"""The cookie that remembers a visitor, on one website.

It is partitioned: a browser that blocks cookies of others keeps it all the same, one for each
website that shows the chat. Two sites on one website do not share it either, so their names differ.
Django 5.2 cannot write `Partitioned`, so the header is written here.
"""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.widget_sites.visitor_tokens import LIFETIMES, Kind

ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=None; Partitioned"


def cookie_name(site_key: str) -> str:
    """Without HTTPS (at home, on the own machine) browsers refuse the prefix."""
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
