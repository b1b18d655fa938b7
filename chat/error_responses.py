"""Turns errors of the tree into answers: HTML for a person, JSON for programs and the page."""

import logging
import math
import re

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from chat.database.database_errors import error_for
from chat.errors import ChatError
from chat.lib import metrics
from chat.lib.openai_errors import error_body

#: Below it OpenAI's clients ask, who read errors in one shape only.
OPENAI_PATH = re.compile(r"/w/[^/]+/v1/")
#: Below it programs ask, whatever they accept; a person sees the frame and the challenge in it.
API_PATH = re.compile(r"/w/[^/]+/(?!challenge$).")

log = logging.getLogger(__name__)


class ErrorMiddleware(MiddlewareMixin):
    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        told = error if isinstance(error, ChatError) else error_for(error)
        if told is None:
            return None
        if told.detail:
            log.warning("%s %s", told.code, told.detail)
        return error_response(request, told)


def error_response(request: HttpRequest, error: ChatError) -> HttpResponse:
    """The answer for `error`, in the kind and the language that `request` asks for."""
    metrics.failed(error.code, "request")
    if hasattr(request, "preferences"):
        return _response(request, error)
    with translation.override(translation.get_language_from_request(request)):
        return _response(request, error)  # it went wrong before anybody asked who this is


def _response(request: HttpRequest, error: ChatError) -> HttpResponse:
    response: HttpResponse
    if OPENAI_PATH.match(request.path_info):
        response = JsonResponse(_openai_body(error), status=error.status)
    elif wants_html(request):
        response = render(request, "error.html", {"error": error}, status=error.status)
    else:
        response = JsonResponse({"error": error.as_dict()}, status=error.status)
    if error.retry_after_seconds is not None:
        response["Retry-After"] = str(math.ceil(error.retry_after_seconds))
    response["Cache-Control"] = "no-store"
    for name, value in error.headers.items():
        response[name] = value
    return response


def _openai_body(error: ChatError) -> dict[str, object]:
    return error_body(error.code, error.public, retryable=error.retryable, status=error.status)


def wants_html(request: HttpRequest) -> bool:
    if API_PATH.match(request.path_info):
        return False
    return "text/html" in request.headers.get("Accept", "")
