"""Messages as pages show them: the words, and what became of the answer."""

import uuid
from typing import Any

from django.utils.translation import gettext as _

from chat.conversations import access, turns
from chat.conversations.models import Conversation, Message
from chat.relay.models import Generation


def shown_message(user_id: int, conversation_id: uuid.UUID, message_id: int) -> dict[str, Any]:
    """One message of the user's, as JSON."""
    conversation = access.conversation_of(user_id, conversation_id)
    message = access.message_of(conversation, message_id)
    latest = message.generations.order_by("started_at").last()
    return as_dict(message, latest)


def shown_turns(conversation: Conversation) -> list[dict[str, Any]]:
    """The branch that was used last, as the page shows it."""
    path = turns.shown_path(conversation)
    found = Generation.objects.filter(message__in=path).order_by("started_at")
    latest = {generation.message_id: generation for generation in found}
    return [as_dict(message, latest.get(message.pk)) for message in path]


def as_dict(message: Message, generation: Generation | None) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": message.pk,
        "parent": message.parent_id,
        "role": message.role,
        "text": message.text,
        "reasoning": message.reasoning,
        "created_at": message.created_at,
    }
    if generation:
        shown |= {
            "generation": str(generation.pk),
            "state": generation.state,
            "model": generation.model,
            "finish_reason": generation.finish_reason,
            "omitted_messages": generation.omitted_messages,
            "base_length": generation.base_length,
        }
        if generation.error_code:
            shown["error"] = {
                "code": generation.error_code,
                "message": _(generation.error_message),  # stored in English
                "retryable": generation.error_retryable,
            }
        if generation.total_tokens is not None:
            shown["usage"] = {
                "prompt_tokens": generation.prompt_tokens,
                "completion_tokens": generation.completion_tokens,
                "total_tokens": generation.total_tokens,
                "neurons": generation.neurons,
            }
    return shown
