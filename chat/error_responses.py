"""Convert exceptions to responses: HTML for browsers, JSON for programs and the page's scripts."""

import logging
import math
import re
from collections.abc import Awaitable
from typing import cast

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from chat.database.errors import error_for
from chat.errors import ChatError, ErrorReader, FormTooLarge
from chat.lib import metrics
from chat.lib.api_formats.openai_errors import error_body
from chat.lib.api_formats.program_errors import KEY_PATH, VERSION_HEADER, error_for_program
from chat.lib.scope_keys import TOO_LONG

#: Paths for OpenAI's clients of a website, which read errors in one format only.
OPENAI_PATH = re.compile(r"/w/[^/]+/v1/")
#: Paths for programs, whatever they accept. Browsers only open the frame and the challenge in it.
API_PATH = re.compile(r"/w/[^/]+/(?!challenge$).")

#: Paths for front ends of websites' own.
FRONT_END_PATH = re.compile(r"/w/[^/]+/(chat|v1)(/|$)")

#: Whoever isn't signed in is offered to, whether or not there is such a link.
SHARED_PATH = "/s/"

#: Key of the error's code in `request.META`, for the request's log line.
ERROR_CODE = "runnel.error_code"

log = logging.getLogger(__name__)


class ErrorMiddleware(MiddlewareMixin):
    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        return error_response(request, FormTooLarge()) if _is_form_too_large(request) else None

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        """Take no thread for other requests, as Django's own method does."""
        if _is_form_too_large(request):
            return await sync_to_async(error_response)(request, FormTooLarge())
        return await cast("Awaitable[HttpResponseBase]", self.get_response(request))

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        told = error if isinstance(error, ChatError) else error_for(error)
        if told is None:
            return None
        if told.detail:
            log.warning("%s %s", told.code, told.detail)
        return error_response(request, told)


def _is_form_too_large(request: HttpRequest) -> bool:
    return TOO_LONG in getattr(request, "scope", {})  # none under WSGI


def error_response(request: HttpRequest, error: ChatError) -> HttpResponse:
    """Return the response for `error`, in the format and language of `request`."""
    metrics.record_error(error.code, "request")
    request.META[ERROR_CODE] = error.code
    if hasattr(request, "preferences"):
        return _response(request, error)
    with translation.override(translation.get_language_from_request(request)):
        return _response(request, error)  # it failed before LanguageMiddleware ran


def describe_error(request: HttpRequest, refusal: HttpResponse, error: ChatError) -> None:
    """Give a response of Django's, such as 405, the body of `error`; it has none."""
    told = error_response(request, error)
    refusal.content = told.content
    for name in ("Content-Type", "Cache-Control"):
        refusal[name] = told[name]
    refusal["Content-Length"] = str(len(told.content))


def _response(request: HttpRequest, error: ChatError) -> HttpResponse:
    response: HttpResponse
    reader = reader_of(request)
    version = request.headers.get(VERSION_HEADER, "")
    if told := error_for_program(request.path_info, error, version):
        response = JsonResponse(told.body, status=told.status, headers=told.headers)
    elif OPENAI_PATH.match(request.path_info):
        response = JsonResponse(_openai_body(error, reader), status=error.status)
    elif wants_html(request):
        context = {
            "error": error,
            "words": error.told_to(reader),
            "is_member": reader is ErrorReader.MEMBER,
            "is_shared_page": request.path.startswith(SHARED_PATH),
        }
        response = render(request, "error.html", context, status=error.status)
    else:
        response = JsonResponse({"error": error.as_dict(reader)}, status=error.status)
    if error.retry_after_seconds is not None:
        response["Retry-After"] = str(math.ceil(error.retry_after_seconds))
    response["Cache-Control"] = "no-store"
    # The line of the request has status and code. Django would add another one, an error for 5xx.
    response._has_been_logged = True  # type: ignore[attr-defined]
    for name, value in error.headers.items():
        response[name] = value
    return response


def _openai_body(error: ChatError, reader: ErrorReader) -> dict[str, object]:
    words = error.told_to(reader)
    return error_body(error.code, words, retryable=error.retryable, status=error.status)


def reader_of(request: HttpRequest) -> ErrorReader:
    """Return who reads an error of this request. Pages send cookies; programs don't."""
    path = request.path_info
    if path.startswith("/w/"):
        return ErrorReader.FRONT_END if FRONT_END_PATH.match(path) else ErrorReader.VISITOR
    is_keyed = KEY_PATH.match(path) or "Authorization" in request.headers
    if is_keyed or not (request.COOKIES or wants_html(request)):
        return ErrorReader.PROGRAM
    return ErrorReader.MEMBER


def wants_html(request: HttpRequest) -> bool:
    if API_PATH.match(request.path_info) or KEY_PATH.match(request.path_info):
        return False
    return "text/html" in request.headers.get("Accept", "")
