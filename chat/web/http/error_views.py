"""Render Django's own errors in the same formats as all other errors."""

import logging
import sys

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from chat.database.errors import error_for
from chat.error_responses import error_response
from chat.errors import BadRequest, ChatError, Forbidden, NotFound
from chat.web.http.origin import has_unknown_own_origin

WRONG_ADDRESS = (
    "A form of this site was refused: its page has another address than SITE_URL, or the proxy"
    " changes Host or X-Forwarded-Proto. Run: manage.py doctor"
)

log = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_response(request, BadRequest())


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_response(request, Forbidden())


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_response(request, NotFound())


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle errors outside views, including database failures in session or user lookup."""
    known = error_for(sys.exception())
    response = error_response(request, known or ChatError())
    # Of a mistake in the code, Django logs where it is.
    response._has_been_logged = known is not None  # type: ignore[attr-defined]
    return response


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that the form is old, or that the site's address is set up wrongly: no reload helps."""
    if has_unknown_own_origin(request):
        log.warning(WRONG_ADDRESS)
        words = _(
            "This site's address isn't set up correctly, so it can't accept forms. Please tell the"
            " administrator."
        )
        return error_response(request, Forbidden(words))
    return error_response(
        request, Forbidden(_("This page is out of date. Reload it and try again."))
    )
