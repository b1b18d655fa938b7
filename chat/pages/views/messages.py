"""One stored message, for a page that cannot tell by its stream whether it shows all of it."""

import uuid

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.accounts.principals import principal_of
from chat.pages.shown import shown_message
from chat.relay import threads


@require_safe
@never_cache
async def show(request: HttpRequest, conversation_id: uuid.UUID, message_id: int) -> JsonResponse:
    """Text and state as they are stored; what is still being written is in its stream."""
    principal = await principal_of(request)
    message = await threads.readers.run(
        shown_message, principal.user_id, conversation_id, message_id
    )
    return JsonResponse(message)
