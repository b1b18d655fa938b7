"""Serve the queue of cases: the list, bulk actions, the next case, and exports."""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from chat.errors import BadRequest, NotFound
from chat.lib.whole_number import whole_number
from chat.review.access_log.staff_context import StaffContext, record_export
from chat.review.bulk_changes import BulkResult, apply_to_each
from chat.review.case_models import Case
from chat.review.cases import queue, workflow
from chat.review.denied_access import record_denied
from chat.review.staff.privacy import sees_names
from chat.review.staff.roles import Role
from chat.review.utc_days import today
from chat.web.http.files.downloads import download
from chat.web.http.query_params import query_of
from chat.web.review.http.bulk_actions import say_what_changed
from chat.web.review.http.staff_access import for_staff, principal_of_staff, show
from chat.web.review.queue.export import WRITERS, ExportedText
from chat.web.review.queue.forms import AssignForm, CaseFilterForm, ResolveForm
from chat.web.review.queue.presenters import (
    QUEUE_KEY,
    case_filter_of,
    case_url,
    offer_reopening,
    question,
    queue_context,
    unchanged,
)


@require_safe
@for_staff()
def show_queue(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    context = queue_context(request, staff_context)
    request.session[QUEUE_KEY] = context["query"]
    status = 422 if context["form"].errors else 200
    return show(request, staff_context, "queue.html", context, status=status)


@require_POST
@for_staff(with_reason=False)
def take_next(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Claim the next unassigned case of the list and show its chat."""
    among = queue.filter_cases(staff_context.reviewer, case_filter_of(request, staff_context))
    case = workflow.take_next(staff_context, among)
    if case is None:
        messages.info(request, _("There are no unassigned cases."))
        return _back(request)
    return redirect(case_url(case, queue.newest_flagged([case.pk])))


@require_POST
@for_staff()
def change_selected(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Act on all selected cases; say how many changed, and why the others did not.

    Resolving several at once asks first: the question submits the form again with `sure`.
    """
    posted = map(whole_number, request.POST.getlist("case"))
    ids = [each for each in posted if each is not None]
    resolve_form = ResolveForm(request.POST)
    try:
        if not ids:
            raise BadRequest(_("Select cases first."))
        outcome = request.POST.get("action", "")
        if (
            outcome in Case.Outcome.values
            and resolve_form.is_valid()
            and "sure" not in request.POST
        ):
            return _ask(request, staff_context, ids, resolve_form)
        bulk, done = _change_all(request, staff_context, ids, resolve_form)
    except BadRequest as refusal:
        messages.error(request, refusal.public)
        chosen = {"chosen": ids, "resolve_form": resolve_form}
        return show(
            request,
            staff_context,
            "queue.html",
            queue_context(request, staff_context) | chosen,
            status=422,
        )
    record_denied(staff_context, *({"case_id": each} for each in bulk.not_found))
    say_what_changed(request, bulk, done, unchanged)
    if bulk.done and request.POST.get("action") in Case.Outcome.values:
        offer_reopening(request, bulk.done)
    return _back(request)


def _ask(
    request: HttpRequest, staff_context: StaffContext, ids: list[int], why: ResolveForm
) -> HttpResponse:
    """Show the queue with a question about resolving these cases."""
    question_shown = question(
        staff_context, request.POST["action"], ids, why.cleaned_data["reason"]
    )
    chosen = {"chosen": ids, "resolve_form": why, "question": question_shown}
    context = queue_context(request, staff_context) | chosen
    return show(request, staff_context, "queue.html", context)


def _change_all(
    request: HttpRequest, staff_context: StaffContext, ids: list[int], why: ResolveForm
) -> tuple[BulkResult[int], str]:
    action = request.POST.get("action", "")
    if action == "claim":
        bulk = apply_to_each(ids, partial(workflow.claim, staff_context))
        return bulk, ngettext("{count} case claimed.", "{count} cases claimed.", len(bulk.done))
    if action == "release":
        bulk = apply_to_each(ids, partial(workflow.release, staff_context))
        return bulk, ngettext(
            "{count} case unassigned.", "{count} cases unassigned.", len(bulk.done)
        )
    if action == "assign":
        form = AssignForm(request.POST)
        if staff_context.reviewer.role < Role.LEAD:
            raise NotFound
        if not form.is_valid():
            raise BadRequest(_("Choose an assignee."))
        to = form.cleaned_data["assignee"]
        bulk = apply_to_each(ids, lambda each: workflow.assign(staff_context, each, to))
        return bulk, ngettext("{count} case assigned.", "{count} cases assigned.", len(bulk.done))
    if action == "reopen":
        bulk = apply_to_each(ids, partial(workflow.reopen, staff_context))
        return bulk, ngettext("{count} case reopened.", "{count} cases reopened.", len(bulk.done))
    if action not in Case.Outcome.values:
        raise BadRequest
    if not why.is_valid():
        raise BadRequest(" ".join(str(each) for each in why.errors["reason"]))
    reason = why.cleaned_data["reason"]
    bulk = apply_to_each(ids, lambda each: workflow.resolve(staff_context, each, action, reason))
    if action == Case.Outcome.DISMISSED:
        return bulk, ngettext("{count} case dismissed.", "{count} cases dismissed.", len(bulk.done))
    return bulk, ngettext("{count} case confirmed.", "{count} cases confirmed.", len(bulk.done))


@require_safe
@for_staff()
def export(request: HttpRequest, staff_context: StaffContext, kind: str) -> HttpResponseBase:
    """Export the listed cases; with message text only for leads, and logged."""
    text = _exported_text(request, staff_context)
    if kind not in WRITERS or (text and staff_context.reviewer.role < Role.LEAD):
        raise NotFound
    rows = WRITERS[kind](staff_context, case_filter_of(request, staff_context), text)
    record_export(staff_context, f"cases.{kind}")
    name = f"cases {today():%Y-%m-%d}.{kind}"
    return download(rows, name, principal_of_staff(request, staff_context))


def _exported_text(request: HttpRequest, staff_context: StaffContext) -> ExportedText:
    """Return what is asked for; without a choice, those who see no names get masked texts."""
    wanted = request.GET.get("text", "")
    if wanted in {each.value for each in ExportedText}:
        return ExportedText(wanted)
    return ExportedText.PLAIN if sees_names(staff_context.reviewer) else ExportedText.MASKED


def _back(request: HttpRequest) -> HttpResponse:
    """Redirect to the queue with the same filters."""
    return redirect(f"{reverse('review_queue')}?{query_of(request, CaseFilterForm.base_fields)}")
