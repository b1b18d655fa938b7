"""Let a site's team assign its chats, and open, snooze and close them."""

import uuid
from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.conversations.handoff.takeover import TakenOver
from chat.inbox import handled_chats
from chat.inbox.team_access import Inbox
from chat.web.http.shared_limits import require_rate
from chat.web.http.typed_requests import MemberRequest
from chat.web.inbox.handling_forms import AssignmentForm, SnoozeForm
from chat.web.inbox.team_requests import for_team
from chat.web.inbox.views.chats import back_to, page

#: Of a member; each may mail a colleague.
ASSIGNMENTS_PER_MINUTE = 20


@require_POST
@for_team
def assign(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponse:
    form = AssignmentForm(inbox.site, request.POST)
    if not form.is_valid():
        return page(request, inbox, conversation_id, status=422, assignment_form=form)
    require_rate("assignments", f"user:{inbox.user_id}", ASSIGNMENTS_PER_MINUTE)
    person, note = form.cleaned_data["assignee"], form.cleaned_data["note"]
    handled_chats.assign(inbox, conversation_id, person, note)
    messages.success(request, _("Assigned.") if person else _("Assigned to nobody."))
    return back_to(inbox, conversation_id, "handling")


@require_POST
@for_team
def snooze(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponse:
    form = SnoozeForm(request.POST)
    try:
        if form.is_valid():
            change = partial(handled_chats.snooze, until=form.end)
            return _changed(request, inbox, conversation_id, change)
    except handled_chats.InvalidSnooze as error:
        form.add_error("until", error.public)
    return page(request, inbox, conversation_id, status=422, snooze_form=form)


@require_POST
@for_team
def close(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponse:
    return _changed(request, inbox, conversation_id, handled_chats.close)


@require_POST
@for_team
def reopen(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponse:
    return _changed(request, inbox, conversation_id, handled_chats.reopen)


def _changed(
    request: MemberRequest,
    inbox: Inbox,
    conversation_id: uuid.UUID,
    change: Callable[[Inbox, uuid.UUID], object],
) -> HttpResponse:
    try:
        change(inbox, conversation_id)
    except TakenOver as error:
        messages.error(request, error.public)
    return back_to(inbox, conversation_id, "handling")
