"""Render Django's own errors in the same formats as all other errors."""

import sys

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from chat.database.database_errors import error_for
from chat.error_responses import error_response
from chat.errors import BadRequest, ChatError, Forbidden, NotFound


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_response(request, BadRequest())


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_response(request, Forbidden())


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_response(request, NotFound())


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle errors outside views, including database failures in session or user lookup."""
    return error_response(request, error_for(sys.exception()) or ChatError())


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    return error_response(
        request, Forbidden(_("This page is out of date. Reload it and try again."))
    )
