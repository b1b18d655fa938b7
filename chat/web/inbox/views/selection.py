"""Let a site's team close, open, snooze, assign and label several chats at once."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from chat.errors import BadRequest
from chat.inbox import handled_chats, labels
from chat.inbox.team_access import Inbox
from chat.review.bulk_changes import BulkResult, apply_to_each
from chat.web.http.query_params import query_of
from chat.web.http.typed_requests import MemberRequest
from chat.web.inbox.selection_form import SelectionForm, ids_in
from chat.web.inbox.selection_presenters import FILTERS, UNDO, unchanged, undo_key
from chat.web.inbox.team_requests import for_team
from chat.web.inbox.views.chats import list_page
from chat.web.review.http.bulk_actions import last_changed, remember_for_undo, say_what_changed

Bulk = BulkResult[UUID]


@require_POST
@for_team
def change_selected(request: MemberRequest, inbox: Inbox) -> HttpResponse:
    """Act on all selected chats; say how many changed, and why the others did not."""
    ids = ids_in(request.POST.getlist("chat"))
    form = SelectionForm(inbox.site, request.POST)
    try:
        if not ids:
            raise BadRequest(_("Select chats first."))
        if not form.is_valid():
            raise BadRequest
        bulk, done = _change_all(request, inbox, ids, form)
    except BadRequest as refusal:
        messages.error(request, refusal.public)
        return list_page(request, inbox, 422, chosen=ids)
    say_what_changed(request, bulk, done, unchanged)
    return redirect(f"{reverse('inbox', args=[inbox.site.key])}?{query_of(request, FILTERS)}")


def _change_all(
    request: MemberRequest, inbox: Inbox, ids: list[UUID], form: SelectionForm
) -> tuple[Bulk, str]:
    action, values = request.POST.get("action", ""), form.cleaned_data
    if action == "close":
        bulk = _close(request, inbox, ids, values["seen_at"])
        return bulk, ngettext("{count} chat closed.", "{count} chats closed.", len(bulk.done))
    if action in {"reopen", UNDO}:
        bulk = apply_to_each(ids, _opener(request, inbox, is_undo=action == UNDO))
        return bulk, ngettext("{count} chat opened.", "{count} chats opened.", len(bulk.done))
    if action == "snooze":
        until = form.snoozed_until
        snooze = partial(handled_chats.snooze, inbox, until=until, seen_at=values["seen_at"])
        bulk = apply_to_each(ids, snooze)
        return bulk, ngettext("{count} chat snoozed.", "{count} chats snoozed.", len(bulk.done))
    if action == "assign":
        bulk = apply_to_each(ids, partial(handled_chats.assign, inbox, to=inbox.user_id))
        return bulk, ngettext(
            "{count} chat assigned to you.", "{count} chats assigned to you.", len(bulk.done)
        )
    if action == "label" and values["label"]:
        label = labels.label_of(inbox.site, values["label"])
        bulk = apply_to_each(ids, partial(labels.add_to_chat, inbox, label=label))
        return bulk, ngettext("{count} chat labelled.", "{count} chats labelled.", len(bulk.done))
    raise BadRequest


def _close(request: MemberRequest, inbox: Inbox, ids: list[UUID], seen_at: datetime | None) -> Bulk:
    waited: list[tuple[str, str]] = []

    def close(chat: UUID) -> None:
        since = handled_chats.close(inbox, chat, seen_at=seen_at)
        waited.append((str(chat), since.isoformat() if since else ""))

    bulk = apply_to_each(ids, close)
    if waited:
        remember_for_undo(request, undo_key(inbox), waited)
    return bulk


def _opener(request: MemberRequest, inbox: Inbox, *, is_undo: bool) -> Callable[[UUID], Any]:
    last = last_changed(request, undo_key(inbox)) if is_undo else None
    if not last:
        return partial(handled_chats.reopen, inbox)
    since = {UUID(chat): datetime.fromisoformat(at) for chat, at in last[0] if at}
    return lambda chat: handled_chats.undo_close(inbox, chat, since.get(chat))
