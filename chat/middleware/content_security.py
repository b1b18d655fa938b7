"""Set the Content-Security-Policy (CSP) header for each area of the site, without `unsafe-*`.

Site pages load scripts by nonce and refuse strings as HTML (Trusted Types); only htmx's policy may
create HTML. Only pages that announce answers may have a worker, which shows the notices. Account
pages run scripts from 'self' only. The admin's jQuery writes HTML, so Trusted Types are off there.
Public shared pages load only scripts for formatting, are not indexed and send no referrer. Staff
pages show untrusted text and get the same policy as shared ones, so scripts cannot connect, except
on live pages, which may stream from this site. The widget's frame creates no HTML; its view says
which pages may embed it. Chats may frame previews of code, whose view sets a policy of its own
(chat/web/previews/views.py). JSON and event streams allow nothing.
"""

from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from csp.constants import HEADER, NONCE, NONE, SELF, STRICT_DYNAMIC
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.middleware.base import OnEventLoop
from chat.web.http.typed_responses import PageResponse

BASE: dict[str, Any] = {
    "default-src": [NONE],
    "style-src": [SELF],
    "img-src": [SELF, "data:"],
    "font-src": [SELF],
    "connect-src": [SELF],
    "manifest-src": [SELF],
    "worker-src": [NONE],
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
#: The chat page and the general settings, which install the worker for notices.
NOTICES: dict[str, Any] = {
    **SITE,
    "worker-src": [SELF],
    "trusted-types": ["htmx", "notice-worker"],
}
#: The chat page, which plays what the speech model says.
CHAT: dict[str, Any] = {**NOTICES, "media-src": ["blob:"]}
#: Our pages that embed a website's tag, whose script creates a frame of ours, or such a page.
PREVIEW: dict[str, Any] = {**SITE, "frame-src": [SELF]}
SHARED: dict[str, Any] = {**SITE, "connect-src": [NONE], "trusted-types": [NONE]}
WIDGET: dict[str, Any] = {**SITE, "frame-src": [SELF], "trusted-types": [NONE]}
REVIEW: dict[str, Any] = SHARED
#: Where code of answers can be previewed, in a frame that the site serves.
CODE_PREVIEWS: dict[str, Any] = {"frame-src": [SELF]}
ACCOUNTS: dict[str, Any] = {**BASE, **TRUSTED_TYPES, "script-src": [SELF], "trusted-types": [NONE]}
ADMIN: dict[str, Any] = {**BASE, "script-src": [SELF]}
#: For responses that are no documents; the policy needs no nonce and never changes.
DATA_TYPES = ("application/json", "application/x-ndjson", "text/event-stream")
DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

#: Stands for the nonce of a response in a cached header.
NONCE_PLACEHOLDER = "{nonce}"


def is_shared(path: str) -> bool:
    return path.startswith("/s/")


def policy_for(path: str) -> dict[str, Any]:
    if path.startswith("/admin/"):
        return ADMIN
    if is_shared(path):
        return _with_previews(SHARED)
    if path.startswith("/sites/") and path.endswith(("/preview/", "/look/")):
        return PREVIEW
    if path.startswith("/w/"):
        return _challenge() if path.endswith("/challenge") else WIDGET
    if path.startswith("/review/"):
        return REVIEW
    if path.startswith("/chat/"):
        return _with_previews(CHAT)
    if path == "/settings/":
        return NOTICES
    return ACCOUNTS if path.startswith("/accounts/") else SITE


def _with_previews(config: dict[str, Any]) -> dict[str, Any]:
    return config | CODE_PREVIEWS if settings.CODE_PREVIEWS else config


def _challenge() -> dict[str, Any]:
    """Return the policy for the challenge page, which may load that service's resources."""
    service = "{0.scheme}://{0.netloc}".format(urlsplit(settings.CHALLENGE_SCRIPT))
    needs = {name: [service] for name in ("connect-src", "frame-src", "style-src", "img-src")}
    return {**BASE, **needs, "script-src": [NONCE, STRICT_DYNAMIC]}


class ContentSecurityMiddleware(OnEventLoop, CSPMiddleware):
    """Set the policy of the area. Of django-csp, this uses the nonce and the format."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if is_shared(request.path):  # for missing links too, so that both look the same
            response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
            response.headers.setdefault("Referrer-Policy", "no-referrer")
        if response.headers.get("Content-Type", "").startswith(DATA_TYPES):
            response.headers.setdefault(HEADER, DATA_POLICY)
            return response
        # Otherwise browsers look up the names in links, also in those that a model has written.
        response.headers.setdefault("X-DNS-Prefetch-Control", "off")
        is_debug_page = settings.DEBUG and response.status_code in {404, 500}
        if not is_debug_page and HEADER not in response:
            config = _policy_of(request, response)
            policy = _policy_header(
                tuple((name, tuple(sources)) for name, sources in config.items())
            )
            response.headers[HEADER] = policy.replace(NONCE_PLACEHOLDER, str(request.csp_nonce))  # type: ignore[attr-defined]
        return response


def _policy_of(request: HttpRequest, response: HttpResponseBase) -> dict[str, Any]:
    config = policy_for(request.path)
    if isinstance(response, PageResponse):
        if response.frame_ancestors:
            config = config | {"frame-ancestors": response.frame_ancestors}
        if response.watches:
            config = config | {"connect-src": [SELF]}
    return config


@lru_cache(maxsize=256)  # one per area, and one per website with the widget
def _policy_header(config: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    """Return the header for `config`. Building it takes longer than some whole responses.

    `build_policy` puts several directives in an order that differs between processes.
    """
    return "; ".join(
        build_policy({name: sources}, nonce=NONCE_PLACEHOLDER) for name, sources in config
    )
