"""Isolate the API for programs from people's sessions: only a key in the header identifies them.

Cookies are removed from requests and none is set, so a page of another website gets nothing in the
name of a member who is signed in here. That is why every origin may read the responses. Errors are
in English, because programs compare them.
"""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase

from chat.error_responses import describe_error
from chat.lib.api_formats.program_errors import KEY_PATH
from chat.web.http.cors import EXPOSED, HEADER_NAMES, PREFLIGHT_SECONDS
from chat.web.http.origin import MethodNotAllowed

LANGUAGE = "en"
USUAL_HEADERS = "Authorization, Content-Type"


class ApiIsolationMiddleware:
    """Place this before sessions."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        is_for_programs = KEY_PATH.match(request.path_info)
        if self.is_async:
            return self._answer(request) if is_for_programs else self.get_response(request)
        if not is_for_programs:
            return self.get_response(request)
        return _opened(request, _preflight(request) or self.get_response(_isolated(request)))

    async def _answer(self, request: HttpRequest) -> HttpResponseBase:
        preflight = _preflight(request)
        return _opened(request, preflight or await self.get_response(_isolated(request)))


def _isolated(request: HttpRequest) -> HttpRequest:
    request.META.pop("HTTP_COOKIE", None)
    request.COOKIES = {}
    request.META["HTTP_ACCEPT_LANGUAGE"] = LANGUAGE
    return request


def _preflight(request: HttpRequest) -> HttpResponse | None:
    """Return the response to a browser that asks what a page of another origin may send."""
    if request.method != "OPTIONS":
        return None
    asked = request.headers.get("Access-Control-Request-Headers", "")
    headers = asked if HEADER_NAMES.fullmatch(asked) else USUAL_HEADERS
    return HttpResponse(
        status=204,
        headers={
            "Access-Control-Allow-Methods": "GET, POST",
            "Access-Control-Allow-Headers": headers,
            "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
        },
    )


def _opened(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Return the response, readable for pages of every origin, without cookies."""
    if isinstance(response, HttpResponseNotAllowed):
        describe_error(request, response, MethodNotAllowed())
    response.cookies.clear()
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Expose-Headers"] = EXPOSED
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
    return response
