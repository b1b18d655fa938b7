"""Check that a page of this site made the request.

The relay takes no CSRF token, so that programs can use it. Instead it checks headers that the
browser sets and other sites cannot forge (`Sec-Fetch-Site`, `Origin`), and a content type that no
form can send. Forms need a CSRF token and, where the browser sends one, an `Origin` of this site.
"""

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from chat.errors import BadRequest, ChatError, Forbidden

FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
CONTENT_TYPES = frozenset({"application/json", "text/event-stream"})


class MethodNotAllowed(ChatError):
    code, status = "method_not_allowed", 405
    text = _("This address doesn't support this method.")


class UnsupportedType(BadRequest):
    code, status = "unsupported_type", 415
    text = _("Send JSON with the content type application/json.")


def is_form(request: HttpRequest) -> bool:
    """Return True if a browser submitted one of our forms and expects a page."""
    return request.content_type in FORMS and "text/html" in request.headers.get("Accept", "")


def require_json(request: HttpRequest) -> None:
    if (request.content_type or "").lower() not in CONTENT_TYPES:
        raise UnsupportedType


def require_same_origin(request: HttpRequest) -> None:
    require_json(request)
    require_own_page(request)


def is_own_page(request: HttpRequest) -> bool:
    is_same_site = request.headers.get("Sec-Fetch-Site") == "same-origin"
    return is_same_site or request.headers.get("Origin") == own_origin(request)


def has_hidden_origin(request: HttpRequest) -> bool:
    """Return True if a page of this site sent the request with `Origin: null`.

    Browsers hide the origin of a form if the page's referrer policy is `no-referrer`, which some
    proxies set. Sandboxed frames have the origin `null`, too, but for a browser they are
    `cross-site`, and so is a request that another site redirected.
    """
    is_hidden = request.headers.get("Origin") == "null"
    return is_hidden and request.headers.get("Sec-Fetch-Site") == "same-origin"


def has_unknown_own_origin(request: HttpRequest) -> bool:
    """Return True if a page of this site has an address that the site doesn't know as its own.

    Then SITE_URL is wrong, or a proxy changes `Host` or `X-Forwarded-Proto`.
    """
    if request.headers.get("Sec-Fetch-Site") != "same-origin" or has_hidden_origin(request):
        return False
    return request.headers.get("Origin") not in {
        None,
        own_origin(request),
        *settings.CSRF_TRUSTED_ORIGINS,
    }


def require_own_page(request: HttpRequest) -> None:
    if not is_own_page(request):
        raise Forbidden(_("This address only accepts requests from this site."))


def own_origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"
