"""Each request in the language of whoever makes it.

Outside of a request (a generation's task, a command) everything is in English.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers


class LocaleMiddleware:
    """Like Django's own, without its hop to a thread; what it sets ends with the request."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        if iscoroutinefunction(self):
            return self.__acall__(request)
        with translation.override(_language_of(request)):
            return _marked(self.get_response(request))

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        with translation.override(_language_of(request)):
            response: Awaitable[HttpResponseBase] = self.get_response(request)
            return _marked(await response)


def _language_of(request: HttpRequest) -> str:
    return translation.get_language_from_request(request)


def _marked(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Content-Language", translation.get_language() or "en")
    patch_vary_headers(response, ["Accept-Language"])
    return response
