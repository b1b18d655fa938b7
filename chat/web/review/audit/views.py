"""Serve the access log and staff actions as pages and files."""

from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from chat.errors import BadRequest, NotFound
from chat.review.access_log.queries import LogFilter
from chat.review.access_log.staff_context import StaffContext, record_export
from chat.review.staff.roles import Right
from chat.review.utc_days import today
from chat.web.http.files.downloads import download
from chat.web.review.audit import export as export
from chat.web.review.audit.forms import AccessLogForm, AuditFilterForm, StaffActionsForm
from chat.web.review.audit.presenters import access_log_context, staff_actions_context
from chat.web.review.http.staff_access import for_staff, number_in, principal_of_staff, show

Writer = Callable[[tuple[str, ...], Iterator[list[export.Line]]], Iterator[bytes]]
WRITERS: dict[str, Writer] = {"csv": export.as_csv, "jsonl": export.as_jsonl}


@require_safe
@for_staff(Right.AUDIT_LOG, with_reason=False, shows_messages=False)
def show_access_log(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Show the access log. It contains no message text, so viewing it is not logged."""
    form = AccessLogForm(request.GET, staff_context.reviewer)
    if not form.is_valid():
        return show(request, staff_context, "access_log.html", {"form": form}, status=422)
    context = access_log_context(staff_context, form.wanted, number_in(request, "before"))
    return show(request, staff_context, "access_log.html", {"form": form} | context)


@require_safe
@for_staff(Right.AUDIT_LOG, with_reason=False, shows_messages=False)
def show_staff_actions(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Show the staff actions. They contain no message text either."""
    form = StaffActionsForm(request.GET, staff_context.reviewer)
    if not form.is_valid():
        return show(request, staff_context, "staff_actions.html", {"form": form}, status=422)
    context = staff_actions_context(staff_context, form.wanted, number_in(request, "before"))
    return show(request, staff_context, "staff_actions.html", {"form": form} | context)


@require_safe
@for_staff(Right.AUDIT_LOG, shows_messages=False)
def access_log_file(
    request: HttpRequest, staff_context: StaffContext, kind: str
) -> HttpResponseBase:
    """Download all entries that match the page's filters. The export itself is logged."""
    write = _writer(kind)
    wanted = _wanted(AccessLogForm(request.GET, staff_context.reviewer))
    name = _recorded(staff_context, "access_log", kind)
    pieces = write(export.ACCESS_LOG, export.access_log(staff_context, wanted))
    return download(pieces, name, principal_of_staff(request, staff_context))


@require_safe
@for_staff(Right.AUDIT_LOG, shows_messages=False)
def staff_actions_file(
    request: HttpRequest, staff_context: StaffContext, kind: str
) -> HttpResponseBase:
    write = _writer(kind)
    wanted = _wanted(StaffActionsForm(request.GET, staff_context.reviewer))
    name = _recorded(staff_context, "staff_actions", kind)
    pieces = write(export.STAFF_ACTIONS, export.staff_actions(staff_context, wanted))
    return download(pieces, name, principal_of_staff(request, staff_context))


def _writer(kind: str) -> Writer:
    if kind not in WRITERS:
        raise NotFound
    return WRITERS[kind]


def _wanted(form: AuditFilterForm) -> LogFilter:
    if not form.is_valid():
        raise BadRequest(" ".join(str(each[0]) for each in form.errors.values()))
    return form.wanted


def _recorded(staff_context: StaffContext, what: str, kind: str) -> str:
    """Log the export and return the file name."""
    name = f"{what} {today():%Y-%m-%d}.{kind}"
    record_export(staff_context, name)
    return name
