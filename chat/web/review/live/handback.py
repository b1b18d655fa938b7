"""Hand a chat back, keep the draft, and let the model answer what is open."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from chat.errors import ChatError
from chat.lib.text import clean
from chat.review.live.open_questions import answer_open_question

DRAFTS_KEY = "staff_drafts"  # session key of messages that were not sent, by chat
MAX_DRAFTS = 20
MAX_DRAFT = 50_000  # characters


class HandedBack(HttpResponseRedirect):
    """The way back to a chat that has just been handed back."""


def posted_text(request: HttpRequest) -> str:
    return clean(request.POST.get("text", "").replace("\r\n", "\n"))


def keep_draft(request: HttpRequest, conversation_id: UUID, text: str) -> None:
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


def handed_back(back: HttpResponse) -> HandedBack:
    return HandedBack(back["Location"])
