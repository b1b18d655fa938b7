"""Let a site's team read and answer the chats of its visitors."""

import uuid
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.principals import Principal
from chat.errors import BadRequest
from chat.generations.delivery.responses import cursor_of, watched_response
from chat.generations.process.subscribers import Watcher
from chat.import_export.file_names import file_name
from chat.import_export.markdown import conversation_markdown
from chat.inbox import inbox_list
from chat.inbox.team_access import Inbox
from chat.review import access
from chat.review.access_log.staff_context import Kind
from chat.review.cases.notes import add_note, remove_note
from chat.web.http.files.downloads import download
from chat.web.http.files.image_file import image_response
from chat.web.http.files.saved_file import file_response
from chat.web.http.query_params import query_of
from chat.web.http.shared_limits import require_rate
from chat.web.http.typed_requests import MemberRequest
from chat.web.http.typed_responses import json_response
from chat.web.inbox.handling_presenters import handling_context, handling_news
from chat.web.inbox.presenters import (
    LISTS,
    hits_context,
    list_context,
    service_context,
    visitor_facts,
)
from chat.web.inbox.selection_presenters import FILTERS, undoable
from chat.web.inbox.team_requests import for_team, show
from chat.web.review.http.facet_forms import NoteForm
from chat.web.review.http.staff_access import number_in
from chat.web.review.live import takeovers
from chat.web.review.live.presenters import updates_context
from chat.web.review.transcript.note_threads import of_team
from chat.web.review.transcript.presenters import transcript_context

MAX_QUERY = 200
EXPORTS_PER_MINUTE = 20


@require_safe
@for_team
def show_list(request: MemberRequest, inbox: Inbox) -> HttpResponse:
    """Show the chats of `?show=` with `?label=`, or the messages that contain `?q=`."""
    return list_page(request, inbox)


def list_page(
    request: MemberRequest, inbox: Inbox, status: int = 200, **filled: Any
) -> HttpResponse:
    """Show a list; `filled` has what was selected and sent with errors."""
    text = request.GET.get("q", "").strip()[:MAX_QUERY]
    which, begin = request.GET.get("show", inbox_list.OPEN), request.GET.get("from", "")
    if which not in LISTS:
        raise BadRequest
    label = number_in(request, "label")
    context = hits_context(inbox, text, begin) if text else list_context(inbox, which, begin, label)
    context |= {
        "which": which,
        "undo": undoable(request, inbox),
        "query": query_of(request, FILTERS),
    }
    return show(request, inbox, "list.html", context | filled, status)


@require_safe
@for_team
def waiting(_request: MemberRequest, inbox: Inbox) -> HttpResponse:
    """Return how many chats wait, and are the reader's; open pages of the inbox ask repeatedly."""
    lists = {"waiting": inbox_list.WAITING, "mine": inbox_list.MINE}
    return json_response({name: inbox_list.count(inbox, which) for name, which in lists.items()})


@require_safe
@for_team
def read(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponse:
    """Show part of a branch: its end, the messages around `?at=`, or those before `?before=`."""
    before, at = (number_in(request, name) for name in ("before", "at"))
    return page(request, inbox, conversation_id, before=before, at=at)


@require_safe
@for_team
def image(
    _request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID, digest: str
) -> HttpResponse:
    """Show an image of a question. It is loaded only on request, because that is recorded."""
    return image_response(access.read_image(inbox.staff_context, conversation_id, digest))


@require_safe
@for_team
def download_file(
    _request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID, file: str
) -> HttpResponse:
    """Send the original of a question's file, which is recorded, too."""
    return file_response(access.read_file(inbox.staff_context, conversation_id, file))


@require_safe
@for_team
def export(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponseBase:
    """Return the chat as a Markdown file."""
    principal = _principal(request, "user", inbox)
    require_rate("exports", principal.key, EXPORTS_PER_MINUTE)  # with those of own chats
    chat = access.open_conversation(inbox.staff_context, conversation_id, Kind.EXPORTED)
    name = f"{file_name(chat.title, 'chat')}.md"
    return download(conversation_markdown(chat, visitor_facts(chat.owner_id)), name, principal)


@require_safe
@for_team
def updates(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponse:
    """Return the messages after `?after=`, and how the team handles the chat.

    Each request keeps the reader's takeover alive.
    """
    after = number_in(request, "after") or 0
    typing = request.GET.get("typing", "")
    news = updates_context(inbox.staff_context, conversation_id, after, typing)
    return json_response(news | {"handling": handling_news(inbox, conversation_id)})


@require_safe
@for_team
def watch(
    request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID, generation_id: uuid.UUID
) -> HttpResponseBase:
    """Stream a running answer to the team."""
    after = cursor_of(request.headers.get("Last-Event-ID"), request.GET.get("after"))
    access.record_watch(inbox.staff_context, conversation_id, generation_id)
    principal = _principal(request, "team", inbox)
    return watched_response(
        generation_id, principal, Watcher(inbox.user_id, conversation_id), after
    )


@require_POST
@for_team
def stop(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponse:
    back = back_to(inbox, conversation_id)
    return takeovers.stop(request, inbox.staff_context, conversation_id, back)


@require_POST
@for_team
def take_over(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponse:
    back = back_to(inbox, conversation_id, "say")
    return takeovers.take_over(request, inbox.staff_context, conversation_id, back)


@require_POST
@for_team
def send_message(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponse:
    back = back_to(inbox, conversation_id, "say")
    return takeovers.send_message(request, inbox.staff_context, conversation_id, back)


@require_POST
async def hand_back(
    request: MemberRequest, key: str, conversation_id: uuid.UUID
) -> HttpResponseBase:
    """End the takeover, keep what was typed, and let the model answer what is open."""
    response = await sync_to_async(_hand_back)(request, key, conversation_id=conversation_id)
    return await takeovers.answer_after(request, response, conversation_id)


@for_team
def _hand_back(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponse:
    back = back_to(inbox, conversation_id)
    return takeovers.hand_back(request, inbox.staff_context, conversation_id, back)


@require_POST
@for_team
def note(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponse:
    """Add a note and return to the chat."""
    form = NoteForm(request.POST)
    if not form.is_valid():
        return page(request, inbox, conversation_id, status=422, form=form)
    add_note(inbox.staff_context, conversation_id, form.cleaned_data["text"], is_of_team=True)
    return redirect("inbox_chat", inbox.site.key, conversation_id)


@require_POST
@for_team
def note_deletion(_request: MemberRequest, inbox: Inbox, note_id: int) -> HttpResponse:
    conversation_id = remove_note(inbox.staff_context, note_id)
    return redirect("inbox_chat", inbox.site.key, conversation_id)


def page(
    request: MemberRequest,
    inbox: Inbox,
    conversation_id: uuid.UUID,
    *,
    before: int | None = None,
    at: int | None = None,
    status: int = 200,
    **filled: Any,
) -> HttpResponse:
    """Show a chat; `filled` has the forms that were sent with errors."""
    reading = access.read_branch(inbox.staff_context, conversation_id, before=before, at=at)
    context = transcript_context(inbox.staff_context, reading) | {"form": NoteForm()}
    place = reverse("inbox_chat", args=[inbox.site.key, conversation_id])
    context |= {"place": place, "notes_place": reverse("inbox", args=[inbox.site.key])}
    context |= service_context(inbox, reading.conversation)
    context |= handling_context(inbox, conversation_id) | filled
    context["threads"] = of_team(context["threads"])
    # Staff of Runnel moderate; a team only answers.
    context |= {
        "may_act": False,
        "found": at,
        "draft": takeovers.draft_of(request, conversation_id),
    }
    return show(request, inbox, "chat.html", context, status)


def _principal(request: MemberRequest, kind: str, inbox: Inbox) -> Principal:
    session = request.session.session_key or ""
    return Principal(key=f"{kind}:{inbox.user_id}", user_id=inbox.user_id, session_key=session)


def back_to(inbox: Inbox, conversation_id: uuid.UUID, part: str = "live") -> HttpResponse:
    """Redirect to a part of the chat's page, which the browser then focuses."""
    place = reverse("inbox_chat", args=[inbox.site.key, conversation_id])
    return redirect(f"{place}#{part}")
