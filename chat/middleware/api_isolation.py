"""Isolate the API for programs from people's sessions: only a key in the header identifies them.

Cookies are removed from requests and none is set, so a page of another website gets nothing in the
name of a member who is signed in here. That is why every origin may read the responses, except
those to service keys, which belong on servers. Errors are in English, because programs compare
them.
"""

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase

from chat.error_responses import describe_error
from chat.lib import trace
from chat.lib.api_formats.program_errors import (
    KEY_PATH,
    SERVICE_PATH,
    VERSION_HEADER,
    speaks_anthropic,
)
from chat.middleware.base import Middleware
from chat.web.http.cors import EXPOSED, HEADER_NAMES, PREFLIGHT_SECONDS
from chat.web.http.origin import MethodNotAllowed

LANGUAGE = "en"
USUAL_HEADERS = "Authorization, Content-Type"


class ApiIsolationMiddleware(Middleware):
    """Place this before sessions."""

    def before(self, request: HttpRequest) -> HttpResponseBase | None:
        if not KEY_PATH.match(request.path_info):
            return None
        _isolate(request)
        preflight = _preflight(request)
        return preflight and _opened(request, preflight)

    def after(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        return _opened(request, response) if KEY_PATH.match(request.path_info) else response


def _isolate(request: HttpRequest) -> None:
    request.META.pop("HTTP_COOKIE", None)
    request.COOKIES = {}
    request.META["HTTP_ACCEPT_LANGUAGE"] = LANGUAGE


def _preflight(request: HttpRequest) -> HttpResponse | None:
    """Return the response to a browser that asks what a page of another origin may send."""
    if request.method != "OPTIONS" or SERVICE_PATH.match(request.path_info):
        return None
    requested = request.headers.get("Access-Control-Request-Headers", "")
    headers = requested if HEADER_NAMES.fullmatch(requested) else USUAL_HEADERS
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
    if not SERVICE_PATH.match(request.path_info):
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = EXPOSED
        response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
    if speaks_anthropic(request.path_info, request.headers.get(VERSION_HEADER, "")):
        response["Request-Id"] = trace.request_id.get()  # their name for X-Request-ID
    return response
