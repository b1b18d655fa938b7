"""Take part in a chat, for staff and the teams of websites; `back` is the way back to its page."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from chat.conversations.handoff.takeover import TakenOver
from chat.errors import BadRequest, ChatError
from chat.lib.text import clean
from chat.review.access_log.staff_context import StaffContext
from chat.review.live import interventions
from chat.review.live.open_questions import answer_open_question
from chat.web.streams.send_request import KEY

DRAFTS_KEY = "staff_drafts"  # session key of messages that were not sent, by chat
MAX_DRAFTS = 20
MAX_DRAFT = 50_000  # characters


class HandedBack(HttpResponseRedirect):
    """The way back to a chat that has just been handed back."""


def stop(
    request: HttpRequest, staff_context: StaffContext, conversation_id: UUID, back: HttpResponse
) -> HttpResponse:
    if interventions.stop(staff_context, conversation_id):
        messages.success(request, _("Stopping the answer."))
    else:
        messages.info(request, _("The answer had already finished."))
    return back


def take_over(
    request: HttpRequest, staff_context: StaffContext, conversation_id: UUID, back: HttpResponse
) -> HttpResponse:
    try:
        interventions.take_over(staff_context, conversation_id)
    except TakenOver as error:
        messages.error(request, error.public)
    return back


def send_message(
    request: HttpRequest, staff_context: StaffContext, conversation_id: UUID, back: HttpResponse
) -> HttpResponse:
    """Send a message as the person who took over; only forms without JavaScript lead back."""
    text = _posted_text(request)
    key = request.POST.get("key", "")
    is_form = request.accepts("text/html")
    if not KEY.fullmatch(key):
        raise BadRequest
    try:
        interventions.send_message(staff_context, conversation_id, text, key)
    except ChatError as error:
        if not is_form or error.status == 404:
            raise
        messages.error(request, error.public)
        _keep_draft(request, conversation_id, text)
    else:
        _keep_draft(request, conversation_id, "")
    return back if is_form else HttpResponse(status=204)


def hand_back(
    request: HttpRequest, staff_context: StaffContext, conversation_id: UUID, back: HttpResponse
) -> HttpResponse:
    """Keep what was typed and end the takeover; `answer_after` has to follow."""
    _keep_draft(request, conversation_id, _posted_text(request))
    ended = interventions.hand_back(staff_context, conversation_id)
    return HandedBack(back["Location"]) if ended else back


def _posted_text(request: HttpRequest) -> str:
    return clean(request.POST.get("text", "").replace("\r\n", "\n"))


def _keep_draft(request: HttpRequest, conversation_id: UUID, text: str) -> None:
    """Keep what was typed until it is sent; an empty text removes what was kept for this chat."""
    drafts = request.session.get(DRAFTS_KEY, {})
    known = drafts.pop(str(conversation_id), None)
    if text.strip():
        latest = list(drafts.items())[1 - MAX_DRAFTS :]
        request.session[DRAFTS_KEY] = dict(latest) | {str(conversation_id): text[:MAX_DRAFT]}
    elif known:
        request.session[DRAFTS_KEY] = drafts


def draft_of(request: HttpRequest, conversation_id: UUID) -> str:
    return str(request.session.get(DRAFTS_KEY, {}).get(str(conversation_id), ""))


async def answer_after(
    request: HttpRequest, response: HttpResponseBase, conversation_id: UUID
) -> HttpResponseBase:
    """Let the model answer if `response` says that the chat was handed back; say so, or why not."""
    if isinstance(response, HandedBack):
        try:
            answers = await answer_open_question(conversation_id)
        except ChatError as error:
            messages.warning(request, error.public)
        else:
            messages.success(
                request,
                _("The AI is answering the visitor's last message.")
                if answers
                else _("The AI is answering again."),
            )
    return response
