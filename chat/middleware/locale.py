"""Activate the user's language, time zone and preferences for each request.

Outside requests (generation tasks, commands), everything is in English and UTC.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from chat.accounts.known_request import KnownRequest
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.accounts.sessions import session_rights
from chat.database import threads
from chat.middleware.routes import route_match
from chat.quotas import rules_version

#: Routes that need the version of the rules. Reading it here spares them a thread.
NEEDS_RULES = frozenset({"relay"})
#: Routes that determine the user themselves, because they work while the database is away, and
#: files that are the same for all.
WITHOUT_USER = frozenset({"cancel", "accent_style", "site_logo"})


class LocaleMiddleware:
    """Set `request.preferences`, `request.asker_id`, the language and the time zone.

    The user is determined once, for sync and async views alike.
    """

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: KnownRequest) -> Any:
        if self.is_async:
            return self.__acall__(request)
        with _as_preferred(request, _user_of(request)):
            return _marked(self.get_response(request))

    async def __acall__(self, request: KnownRequest) -> HttpResponseBase:
        user = await _auser_of(request)
        with _as_preferred(request, user):
            response: Awaitable[HttpResponseBase] = self.get_response(request)
            return _marked(await response)


def _user_of(request: HttpRequest) -> User | None:
    """Return the user, or None if the database fails, so that the error page can be shown."""
    try:
        return request.user if request.user.is_authenticated else None
    except DatabaseError:
        return None


async def _auser_of(request: KnownRequest) -> User | None:
    """Return the user like `_user_of`, but read in a thread that keeps its connection."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None  # anonymous, without a query
    match = route_match(request)
    if match and match.view_name in WITHOUT_USER:
        return None
    try:
        user = await threads.readers.run(_read_user, request)
    except DatabaseError:
        return None
    request.user = user
    vars(request).update(_cached_user=user, _acached_user=user)  # where Django caches the user
    return user if user.is_authenticated else None


def _read_user(request: KnownRequest) -> User | AnonymousUser:
    user = session_rights.user_of(request)
    route = request.resolver_match
    if user.is_authenticated and route and route.view_name in NEEDS_RULES:
        request.rules_version = rules_version.current()
    return user


@contextmanager
def _as_preferred(request: KnownRequest, user: User | None) -> Iterator[None]:
    preferences = Preferences.of(user or AnonymousUser())
    request.preferences = preferences
    request.asker_id = user.pk if user else None
    browsers = translation.get_language_from_request(request)
    language = preferences.language or browsers
    with translation.override(language), timezone.override(_time_zone_of(request)):
        yield


def _time_zone_of(request: HttpRequest) -> ZoneInfo | None:
    """Return the browser's time zone, from static/js/browser/time_zone.js; None for the site's."""
    try:
        return ZoneInfo(unquote(request.COOKIES.get("time_zone", "")))
    except (ValueError, KeyError, OSError):  # not a name, not a zone, or not even a valid file name
        return None


def _marked(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Content-Language", translation.get_language() or "en")
    patch_vary_headers(response, ["Accept-Language"])
    return response
