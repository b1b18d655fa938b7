"""Isolate everything below /w/, which other websites embed, from members' cookies.

Browsers send a member's session, language and CSRF cookies along. They are removed, so requests
there are never a member's, and none are set. The loader is the same for everyone, and cacheable as
such. Refusals are readable for pages of the site's origins.
"""

from contextlib import suppress

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase

from chat.database import threads
from chat.error_responses import API_PATH, describe_error
from chat.errors import NotFound
from chat.generations.storage.checkpoint import DATABASE_ERRORS
from chat.middleware.base import Middleware
from chat.web.http import cors
from chat.web.http.origin import MethodNotAllowed
from chat.web.http.typed_requests import VisitorRequest
from chat.web.widget.visitor_cookie import cookie_name
from chat.widget_sites.visits import open_site

PREFIX = "/w/"
LOADER = "/w.js"


class WidgetIsolationMiddleware(Middleware):
    """Place this before sessions. Keep only the cookie of the site in the URL, and set none."""

    def before(self, request: VisitorRequest) -> None:
        if is_isolated(request):
            _remove_cookies(request)

    def after(self, request: VisitorRequest, response: HttpResponseBase) -> HttpResponseBase:
        return _remove_set_cookies(request, response) if is_isolated(request) else response

    async def __acall__(self, request: VisitorRequest) -> HttpResponseBase:
        self.before(request)
        response: HttpResponseBase = await self.get_response(request)
        if response.status_code >= 400 and is_isolated(request):
            await _allow_listed(request)
            if isinstance(response, HttpResponseNotAllowed) and API_PATH.match(request.path_info):
                describe_error(request, response, MethodNotAllowed())
        return self.after(request, response)


def is_isolated(request: HttpRequest) -> bool:
    return request.path_info.startswith((PREFIX, LOADER))


def _remove_cookies(request: HttpRequest) -> None:
    site_key = _site_key(request)
    name = cookie_name(site_key) if site_key else ""
    value = request.COOKIES.get(name)
    request.META.pop("HTTP_COOKIE", None)
    request.COOKIES = {name: value} if value else {}


async def _allow_listed(request: VisitorRequest) -> None:
    """Let a page of the site read a refusal that came before the view checked its origin."""
    site_key = _site_key(request)
    if not site_key or "Origin" not in request.headers or hasattr(request, "allowed_origin"):
        return
    with suppress(NotFound, DisallowedHost, *DATABASE_ERRORS):
        site = await threads.readers.run(open_site, site_key)
        if cors.is_listed(request, site):
            cors.allow(request)


def _site_key(request: HttpRequest) -> str:
    """Return the site key in the URL; empty for the loader."""
    return "" if request.path_info.startswith(LOADER) else request.path_info.split("/")[2]


def _remove_set_cookies(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if request.path_info == LOADER:
        response["Vary"] = "Accept-Encoding"
        del response["Content-Language"]
        return response
    response.cookies.clear()  # the visitor's own cookie is a plain header: visitor_cookie.py
    response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
    cors.patch(request, response)
    return response
