"""Mark a conversation as read when its answer arrived in an open page."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from chat.accounts.principals import principal_of
from chat.conversations import access, turns
from chat.database import threads


@require_POST
async def mark_read(request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Mark the conversation as read. (Opening the page does so by itself.)"""
    principal = await principal_of(request)
    await threads.writer.run(_mark_read, principal.user_id, conversation_id)
    return HttpResponse(status=204)


def _mark_read(user_id: int, conversation_id: uuid.UUID) -> None:
    turns.mark_read(access.conversation_of(user_id, conversation_id))
