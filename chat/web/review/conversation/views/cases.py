"""Claim, release, assign, resolve and reopen a case."""

import uuid
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.errors import Conflict, Forbidden
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Case
from chat.review.cases import flags, queue, workflow
from chat.review.staff.roles import Role
from chat.web.review.conversation.page import back_to_chat, conversation_page
from chat.web.review.http.staff_access import for_staff
from chat.web.review.queue.forms import AssignForm, CaseFilterForm, FlagForm, ResolveForm
from chat.web.review.queue.presenters import QUEUE_KEY, case_url, offer_reopening


@require_POST
@for_staff(with_reason=False)
def claim(request: HttpRequest, staff_context: StaffContext, case_id: int) -> HttpResponse:
    return _changed(
        request,
        staff_context,
        case_id,
        lambda: workflow.claim(staff_context, case_id),
        _("Case assigned to you."),
    )


@require_POST
@for_staff()
def release(request: HttpRequest, staff_context: StaffContext, case_id: int) -> HttpResponse:
    done = _("Case unassigned.")
    return _changed(
        request, staff_context, case_id, lambda: workflow.release(staff_context, case_id), done
    )


@require_POST
@for_staff()
def reopen(request: HttpRequest, staff_context: StaffContext, case_id: int) -> HttpResponse:
    """Reopen a case for whoever had it."""
    done = _("Case reopened.")
    return _changed(
        request, staff_context, case_id, lambda: workflow.reopen(staff_context, case_id), done
    )


@require_POST
@for_staff(Role.LEAD)
def assign(request: HttpRequest, staff_context: StaffContext, case_id: int) -> HttpResponse:
    form = AssignForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose an assignee."))
        return redirect("review_conversation", workflow.case_of(staff_context, case_id).chat_id)
    to = form.cleaned_data["assignee"]
    done = _("Case assigned to {name}.").format(name=to)
    return _changed(
        request, staff_context, case_id, lambda: workflow.assign(staff_context, case_id, to), done
    )


@require_POST
@for_staff()
def resolve(request: HttpRequest, staff_context: StaffContext, case_id: int) -> HttpResponse:
    """Resolve a case; the button that was pressed gives the outcome."""
    case, form = workflow.case_of(staff_context, case_id), ResolveForm(request.POST)
    outcome = request.POST.get("outcome", "")
    if not form.is_valid() or outcome not in Case.Outcome.values:
        return conversation_page(
            request, staff_context, case.chat_id, status=422, resolve_form=form
        )
    try:
        workflow.resolve(staff_context, case_id, outcome, form.cleaned_data["reason"])
    except (Conflict, Forbidden) as refusal:
        messages.error(request, refusal.public)
        status = refusal.status
        return conversation_page(
            request, staff_context, case.chat_id, status=status, resolve_form=form
        )
    offer_reopening(request, [case_id])
    if "next" in request.POST:
        return _next_case(request, staff_context)
    messages.success(request, _("Case resolved."))
    return back_to_chat(staff_context, case.chat_id)


def _next_case(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Show the next case of the queue that the staff member came from."""
    query = request.session.get(QUEUE_KEY) or ""
    form = CaseFilterForm(QueryDict(query), staff_context.reviewer)
    case = None
    if form.is_valid():
        among = queue.filter_cases(staff_context.reviewer, form.case_filter)
        case = workflow.next_case(staff_context, among)
    if case is None:
        messages.success(request, _("Case resolved. There are no more cases in this list."))
        return redirect(f"{reverse('review_queue')}?{query}")
    messages.success(request, _("Case resolved. This is the next one."))
    return redirect(case_url(case, queue.newest_flagged([case.pk])))


@require_POST
@for_staff()
def flag(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID
) -> HttpResponse:
    """Add a chat to the queue for other staff to review."""
    form = FlagForm(request.POST)
    if not form.is_valid():
        return conversation_page(
            request, staff_context, conversation_id, status=422, flag_form=form
        )
    flags.flag(staff_context, conversation_id, form.cleaned_data["note"])
    messages.success(request, _("Chat added to the queue."))
    return redirect("review_conversation", conversation_id)


def _changed(
    request: HttpRequest,
    staff_context: StaffContext,
    case_id: int,
    change: Callable[[], Case],
    done: str,
) -> HttpResponse:
    """Change the case, then show its chat; if another member of staff was faster, say so."""
    case = workflow.case_of(staff_context, case_id)
    try:
        change()
    except Conflict as refusal:
        messages.error(request, refusal.public)
    else:
        messages.success(request, done)
    return redirect(case_url(case, queue.newest_flagged([case.pk])))
