"""Each request in the language, the time zone, and with the settings of whoever makes it.

Outside of a request (a generation's task, a command) everything is in English and UTC.
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


class LocaleMiddleware:
    """Sets `request.preferences` and `request.asker_id`; language and time zone end with it.

    Who asks is found once, for the views too, sync and async ones.
    """

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: KnownRequest) -> Any:
        if iscoroutinefunction(self):
            return self.__acall__(request)
        with _as_preferred(request, _user_of(request)):
            return _marked(self.get_response(request))

    async def __acall__(self, request: KnownRequest) -> HttpResponseBase:
        user = await _auser_of(request)
        with _as_preferred(request, user):
            response: Awaitable[HttpResponseBase] = self.get_response(request)
            return _marked(await response)


def _user_of(request: HttpRequest) -> User | None:
    """None where the database does not say: the page that tells of the trouble needs none."""
    try:
        return request.user if request.user.is_authenticated else None
    except DatabaseError:
        return None


async def _auser_of(request: HttpRequest) -> User | None:
    """The same. Session and member are read by a thread that keeps its connection."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None  # nobody, without asking
    try:
        user = await threads.readers.run(session_rights.user_of, request)
    except DatabaseError:
        return None
    request.user = user
    vars(request).update(_cached_user=user, _acached_user=user)  # where Django keeps it
    return user if user.is_authenticated else None


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
    """The browser's, which static/js/browser/time_zone.js tells; None is the site's."""
    try:
        return ZoneInfo(unquote(request.COOKIES.get("time_zone", "")))
    except (ValueError, KeyError, OSError):  # no name, no such zone, not even a file's name
        return None


def _marked(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Content-Language", translation.get_language() or "en")
    patch_vary_headers(response, ["Accept-Language"])
    return response
