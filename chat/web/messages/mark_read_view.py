"""A conversation was read to its end, in a page that was open when its answer came."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from chat.accounts.principals import principal_of
from chat.conversations import access, turns
from chat.database import threads


@require_POST
async def read(request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Nothing in it is news any more. (A page that opens says so by itself: it is all there.)"""
    principal = await principal_of(request)
    await threads.writer.run(_mark_read, principal.user_id, conversation_id)
    return HttpResponse(status=204)


def _mark_read(user_id: int, conversation_id: uuid.UUID) -> None:
    turns.mark_read(access.conversation_of(user_id, conversation_id))
