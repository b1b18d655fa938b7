"""Activate the user's language and the browser's time zone for each request.

Outside requests (generation tasks, commands), everything is in English and UTC.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from chat.accounts.known_request import KnownRequest
from chat.middleware.base import Middleware


class LanguageMiddleware(Middleware):
    """Place this after CurrentUserMiddleware, which sets the preferences."""

    def __call__(self, request: KnownRequest) -> Any:
        if self.is_async:
            return self.__acall__(request)
        with _as_preferred(request):
            return _marked(self.get_response(request))

    async def __acall__(self, request: KnownRequest) -> HttpResponseBase:
        with _as_preferred(request):
            return _marked(await self.get_response(request))


@contextmanager
def _as_preferred(request: KnownRequest) -> Iterator[None]:
    language = request.preferences.language or translation.get_language_from_request(request)
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
