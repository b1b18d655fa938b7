"""One content security policy per area of the site; none of them knows `unsafe-*`.

Site pages load scripts by nonce and refuse strings as HTML (Trusted Types); the one policy that may
make HTML is htmx's. Account pages run no script of their own but 'self'. The admin's jQuery writes
HTML, so Trusted Types stay off there. Shared pages, which anybody may open, load scripts that give
answers their form, and nothing else; no search engine keeps them, no link tells where it was. Pages
of the staff read what anybody wrote, and get no more than shared ones: scripts may ask for nothing.
"""

from typing import Any

from csp.constants import NONCE, NONE, SELF, STRICT_DYNAMIC
from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest
from django.http.response import HttpResponseBase

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
SHARED: dict[str, Any] = {**SITE, "connect-src": [NONE], "trusted-types": [NONE]}
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
    if path.startswith("/review/"):
        return REVIEW
    return ACCOUNTS if path.startswith("/accounts/") else SITE


class ContentSecurityMiddleware(CSPMiddleware):
    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        if report_only:
            return PolicyParts(config={})
        nonce = str(getattr(request, "csp_nonce", ""))
        return PolicyParts(config=policy_for(request.path), nonce=nonce)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if is_shared(request.path):  # also where there is nothing: nothing tells the two apart
            response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
            response.headers.setdefault("Referrer-Policy", "no-referrer")
        return super().process_response(request, response)
