"""Allow other origins to read responses.

Views call `allow`; the widget's middleware writes the headers, so that refusals have them too.
Without them, a page could not read a refusal.
"""

import re

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from chat.web.http.human_challenge import HEADER as CHALLENGE
from chat.web.http.origin import own_origin
from chat.web.http.typed_requests import VisitorRequest
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.origins import matches

PREFLIGHT_SECONDS = 600
#: Fetch modes of scripts; links, images and forms have other modes.
SCRIPT_MODES = frozenset({"cors", "same-origin"})
EXPOSED = (
    "X-Conversation-Id, X-Generation-Id, X-Message-Id, X-Question-Id, X-Request-ID, Retry-After, "
    "X-Should-Retry, Request-Id"
)
USUAL_HEADERS = f"Authorization, Content-Type, Last-Event-ID, {CHALLENGE}"
HEADER_NAMES = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,1000}")


def allow(request: VisitorRequest) -> None:
    """Allow the request's own origin, which the caller has verified."""
    request.allowed_origin = request.headers["Origin"]


def is_listed(request: HttpRequest, site: WidgetSite) -> bool:
    """Return True if an allowed page sent the request. Our own send no Origin on GET."""
    if origin := request.headers.get("Origin"):
        return origin == own_origin(request) or matches(origin, site.origins)
    is_ours = request.headers.get("Sec-Fetch-Site") == "same-origin"
    return is_ours and request.headers.get("Sec-Fetch-Mode") in SCRIPT_MODES


def is_foreign(request: HttpRequest) -> bool:
    """Return True if a page of another origin sent this request."""
    return request.headers.get("Origin", own_origin(request)) != own_origin(request)


def patch(request: HttpRequest, response: HttpResponseBase) -> None:
    patch_vary_headers(response, ["Origin"])
    origin = getattr(request, "allowed_origin", "")
    if not origin:
        return
    response["Access-Control-Allow-Origin"] = origin
    # Some clients always send cookies; widget_isolation.py removes them, so none has an effect.
    response["Access-Control-Allow-Credentials"] = "true"
    response["Access-Control-Expose-Headers"] = EXPOSED
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    if request.method == "OPTIONS":
        response["Access-Control-Allow-Methods"] = "GET, POST"
        response["Access-Control-Allow-Headers"] = _headers_for(request)
        response["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)


def _headers_for(request: HttpRequest) -> str:
    """Return the requested header names: libraries add their own, and we ignore unknown ones."""
    requested = request.headers.get("Access-Control-Request-Headers", "")
    return requested if HEADER_NAMES.fullmatch(requested) else USUAL_HEADERS
