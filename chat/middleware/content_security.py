"""One content security policy per area of the site; none of them knows `unsafe-*`.

Site pages load scripts by nonce and refuse strings as HTML (Trusted Types); the one policy that may
make HTML is htmx's. Account pages run no script of their own but 'self'. The admin's jQuery writes
HTML, so Trusted Types stay off there. Shared pages, which anybody may open, load scripts that give
answers their form, and nothing else; no search engine keeps them, no link tells where it was. Pages
of the staff read what anybody wrote, and get no more than shared ones: scripts may ask for nothing,
but where the staff watches what goes on: those pages read streams and news, of this site only.
The widget's frame makes HTML of nothing; which pages may show it, its view says.
"""

from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONCE, NONE, SELF, STRICT_DYNAMIC
from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.middleware.on_event_loop import OnEventLoop
from chat.web.http.typed_responses import PageResponse

BASE: dict[str, Any] = {
    "default-src": [NONE],
    "style-src": [SELF],
    "img-src": [SELF, "data:"],
    "font-src": [SELF],
    "connect-src": [SELF],
    "manifest-src": [SELF],
    "form-action": [SELF],
    "base-uri": [NONE],
    "object-src": [NONE],
    "frame-ancestors": [NONE],
}
TRUSTED_TYPES: dict[str, Any] = {"require-trusted-types-for": ["'script'"]}
SITE: dict[str, Any] = {
    **BASE,
    **TRUSTED_TYPES,
    "script-src": [NONCE, STRICT_DYNAMIC],
    "trusted-types": ["htmx"],
}
#: A page of our own that carries the tag of a website, whose script makes a frame of ours.
PREVIEW: dict[str, Any] = {**SITE, "frame-src": [SELF]}
SHARED: dict[str, Any] = {**SITE, "connect-src": [NONE], "trusted-types": [NONE]}
WIDGET: dict[str, Any] = {**SITE, "frame-src": [SELF], "trusted-types": [NONE]}
REVIEW: dict[str, Any] = SHARED
ACCOUNTS: dict[str, Any] = {**BASE, **TRUSTED_TYPES, "script-src": [SELF], "trusted-types": [NONE]}
ADMIN: dict[str, Any] = {**BASE, "script-src": [SELF]}


def is_shared(path: str) -> bool:
    return path.startswith("/s/")


def policy_for(path: str) -> dict[str, Any]:
    if path.startswith("/admin/"):
        return ADMIN
    if is_shared(path):
        return SHARED
    if path.startswith("/sites/") and path.endswith("/preview/"):
        return PREVIEW
    if path.startswith("/w/"):
        return _challenge() if path.endswith("/challenge") else WIDGET
    if path.startswith("/review/"):
        return REVIEW
    return ACCOUNTS if path.startswith("/accounts/") else SITE


def _challenge() -> dict[str, Any]:
    """The page of the service that tells people from programs may load what is that service's."""
    service = "{0.scheme}://{0.netloc}".format(urlsplit(settings.CHALLENGE_SCRIPT))
    needs = {name: [service] for name in ("connect-src", "frame-src", "style-src", "img-src")}
    return {**BASE, **needs, "script-src": [NONCE, STRICT_DYNAMIC]}


class ContentSecurityMiddleware(OnEventLoop, CSPMiddleware):
    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        if report_only:
            return PolicyParts(config={})
        nonce = str(getattr(request, "csp_nonce", ""))
        config = policy_for(request.path)
        if isinstance(response, PageResponse):
            if response.frame_ancestors:
                config = config | {"frame-ancestors": response.frame_ancestors}
            if response.watches:
                config = config | {"connect-src": [SELF]}
        return PolicyParts(config=config, nonce=nonce)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if is_shared(request.path):  # also where there is nothing: nothing tells the two apart
            response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
            response.headers.setdefault("Referrer-Policy", "no-referrer")
        return super().process_response(request, response)
