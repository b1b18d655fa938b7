"""Which other origins may read an answer. A view says so; the widget's door writes the headers,
so that they are on refusals too, which a page could not read otherwise.
"""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from chat.pages.challenge import HEADER as CHALLENGE

PREFLIGHT_SECONDS = 600
EXPOSED = "X-Generation-Id, X-Request-ID, Retry-After"


def allow(request: HttpRequest) -> None:
    """The origin that `request` names, which the caller has looked up."""
    request.allowed_origin = request.headers["Origin"]  # type: ignore[attr-defined]


def patch(request: HttpRequest, response: HttpResponseBase) -> None:
    patch_vary_headers(response, ["Origin"])
    origin = getattr(request, "allowed_origin", "")
    if not origin:
        return
    response["Access-Control-Allow-Origin"] = origin
    response["Access-Control-Expose-Headers"] = EXPOSED
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    if request.method == "OPTIONS":
        response["Access-Control-Allow-Methods"] = "POST"
        response["Access-Control-Allow-Headers"] = f"Authorization, Content-Type, {CHALLENGE}"
        response["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
