"""Let staff answer requests of people for their data: a copy of all of it, or its erasure."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from chat.data_requests import erasure, requests, signing
from chat.data_requests.models import DataRequest
from chat.errors import BadRequest
from chat.review.access_log.authority import with_reason
from chat.review.access_log.staff_context import StaffContext, record_export
from chat.review.staff.roles import Right
from chat.web.http.files.downloads import download
from chat.web.http.shared_limits import require_rate
from chat.web.review.data_requests.forms import FindForm, RequestForm
from chat.web.review.data_requests.presenters import list_context, user_context
from chat.web.review.http.staff_access import for_staff, is_posted, principal_of_staff, show

Kind = DataRequest.Kind
#: Each adds an entry for each chat to the access log, which never becomes smaller.
RECORDS_PER_MINUTE = 10
#: Each action has a reason of its own, and these pages show no chats.
answering = for_staff(Right.DATA_PROTECTION, with_reason=False, shows_messages=False)
declining = for_staff(
    Right.DATA_PROTECTION, with_reason=False, shows_messages=False, is_act=is_posted
)


@require_safe
@answering
def show_requests(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    form = FindForm(request.GET)
    text = form.cleaned_data["q"] if form.is_valid() else ""
    context = {"form": form, "public_key": signing.public_key()}
    context |= list_context(staff_context, text)
    status = 422 if form.errors else 200
    return show(request, staff_context, "data_requests/list.html", context, status=status)


@require_safe
@answering
def show_user(request: HttpRequest, staff_context: StaffContext, user_id: int) -> HttpResponse:
    context = user_context(staff_context, user_id)
    return show(request, staff_context, "data_requests/person.html", context)


@require_POST
@answering
def copy(request: HttpRequest, staff_context: StaffContext, user_id: int) -> HttpResponseBase:
    """Download the person's record, or only record that they asked for it."""
    person = requests.editable_user(staff_context, user_id)
    form = RequestForm(request.POST, prefix=Kind.COPY)
    if not form.is_valid():
        return _again(request, staff_context, user_id, copy_form=form)
    staff_context = with_reason(staff_context, form.cleaned_data["reason"])
    day = form.cleaned_data["received_on"]
    if "later" in request.POST:
        return _recorded(request, staff_context, user_id, Kind.COPY, form)
    principal = principal_of_staff(request, staff_context)
    require_rate("records", principal.key, RECORDS_PER_MINUTE)
    pieces = requests.copy(staff_context, person, day)
    return download(pieces, f"record {person.pk}.zip", principal)


@require_POST
@answering
def erase(request: HttpRequest, staff_context: StaffContext, user_id: int) -> HttpResponse:
    """Erase the person, or only record that they asked for it."""
    person = requests.editable_user(staff_context, user_id)
    form = RequestForm(request.POST, prefix=Kind.ERASURE)
    if not form.is_valid():
        return _again(request, staff_context, user_id, erasure_form=form)
    staff_context = with_reason(staff_context, form.cleaned_data["reason"])
    if "later" in request.POST:
        return _recorded(request, staff_context, user_id, Kind.ERASURE, form)
    try:
        erasure.erase(staff_context, person, form.cleaned_data["received_on"])
    except BadRequest as refusal:
        form.add_error(None, refusal.public)
        return _again(request, staff_context, user_id, erasure_form=form)
    messages.success(
        request, _("The account is closed. Its data are being erased; the certificate follows.")
    )
    return redirect("review_data_requests_of", user_id)


@require_POST
@declining
def decline(
    request: HttpRequest, staff_context: StaffContext, user_id: int, request_id: int
) -> HttpResponse:
    requests.decline(staff_context, user_id, request_id)
    messages.success(request, _("Request declined."))
    return redirect("review_data_requests_of", user_id)


@require_safe
@answering
def certificate(
    request: HttpRequest, staff_context: StaffContext, user_id: int, request_id: int
) -> HttpResponseBase:
    """Download the certificate of an erasure that is complete."""
    pieces = erasure.certificate(user_id, request_id)
    name = f"certificate {request_id}.zip"
    record_export(staff_context, name)
    return download(pieces, name, principal_of_staff(request, staff_context))


def _recorded(
    request: HttpRequest,
    staff_context: StaffContext,
    user_id: int,
    kind: DataRequest.Kind,
    form: RequestForm,
) -> HttpResponse:
    person = requests.editable_user(staff_context, user_id)
    try:
        requests.add(staff_context, person, kind, form.cleaned_data["received_on"])
    except BadRequest as refusal:
        form.add_error(None, refusal.public)
        return _again(request, staff_context, user_id, **{f"{kind}_form": form})
    messages.success(request, _("Request recorded."))
    return redirect("review_data_requests_of", user_id)


def _again(
    request: HttpRequest, staff_context: StaffContext, user_id: int, **forms: RequestForm
) -> HttpResponse:
    context = user_context(staff_context, user_id, **forms)
    return show(request, staff_context, "data_requests/person.html", context, status=422)
