"""Identify the program behind a request by its service key, and ask for its reason."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.functional import lazystr
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from chat.api_keys import keys
from chat.errors import BadRequest, NotFound
from chat.review.access_log.staff_context import StaffContext
from chat.review.denied_access import record_denied
from chat.review.service_keys.errors import MissingReason
from chat.review.service_keys.readers import KeyScope, context_of
from chat.web.api.api_callers import key_in, limiting_wrong_keys, record_caller
from chat.web.http.shared_limits import require_rate
from chat.web.review.http.reason_fields import ReasonField

READS_PER_MINUTE = 120  # for each key
REASON_HEADER, REASON_PARAMETER = "Runnel-Reason", "access_reason"
#: Where the next page of a list begins.
CURSOR = "after"

View = Callable[..., HttpResponse]


def for_service(scope: KeyScope) -> Callable[[View], View]:
    """Decorate a view for service keys with this scope; it receives a `StaffContext`.

    Who reads chats gives a reason with each request. What is outside the key's limits is 404, and
    recorded as for staff.
    """

    def decorate(view: View) -> View:
        @csrf_exempt  # no cookie authenticates these requests
        @require_safe
        @wraps(view)
        def called(request: HttpRequest, **place: Any) -> HttpResponse:
            staff_context = _caller_of(request, scope)
            try:
                return view(request, staff_context, **place)
            except NotFound:
                record_denied(staff_context, place)
                raise

        return called

    return decorate


def require_known(request: HttpRequest, *names: str) -> None:
    """Raise `BadRequest` for any other parameter: ignoring a filter would answer too much."""
    for name in request.GET:
        if name not in {*names, REASON_PARAMETER}:
            raise BadRequest(lazystr("There is no such parameter here.")).at(name[:100])


def require_valid(form: Form) -> None:
    """Raise `BadRequest` that names the first invalid parameter."""
    for name, errors in form.errors.items():
        error = BadRequest(" ".join(map(str, errors)))
        raise error if name == "__all__" else error.at(name)


def listed(name: str, rows: list[Any], following: str = "", **facts: Any) -> HttpResponse:
    """Return a page of a list; `following` is the cursor of the next one."""
    page = {"object": "list", "of": name, **facts, "data": rows}
    return JsonResponse({**page, "has_more": bool(following), "next": following or None})


def _caller_of(request: HttpRequest, scope: KeyScope) -> StaffContext:
    with limiting_wrong_keys(request):
        key = keys.find_service_key(key_in(request))
    record_caller(request, key)
    require_rate("service_keys", f"key:{key.pk}", READS_PER_MINUTE)
    staff_context = context_of(key, scope)
    if scope is not KeyScope.REVIEW:
        return staff_context
    return replace(staff_context, reason=_reason(request))


def _reason(request: HttpRequest) -> str:
    text = _header(request) or request.GET.get(REASON_PARAMETER, "")
    if not text and not settings.REVIEW_REASON_MINUTES:
        return ""
    try:
        return str(ReasonField().clean(text))
    except ValidationError:
        raise MissingReason from None


def _header(request: HttpRequest) -> str:
    """Return the header as UTF-8, which ASGI servers pass on as Latin-1."""
    text: str = request.headers.get(REASON_HEADER, "")
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text
