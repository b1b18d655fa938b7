"""Messages as pages show them: the words, and what became of the answer."""

import uuid
from typing import Any

from django.utils.translation import gettext as _

from chat.conversations import access, turns
from chat.conversations.conversation_errors import MessageHidden
from chat.conversations.models import Conversation, Message, Rating
from chat.generations.models import Generation


def shown_message(user_id: int, conversation_id: uuid.UUID, message_id: int) -> dict[str, Any]:
    """One message of the user's, as JSON."""
    conversation = access.conversation_of(user_id, conversation_id)
    message = access.message_of(conversation, message_id)
    latest = message.generations.order_by("started_at").last()
    return as_dict(message, latest, message.ratings.filter(user=user_id).first())


def shown_turns(
    conversation: Conversation, before: int | None = None, at: int | None = None
) -> dict[str, Any]:
    """The last turns of the branch that was used last, or of the one through message `at`; or those
    that led to message `before`."""
    part = turns.shown_part(
        conversation,
        access.message_of(conversation, before) if before is not None else None,
        access.message_of(conversation, at) if at is not None else None,
    )
    found = Generation.objects.filter(message__in=part.messages).order_by("started_at")
    latest = {generation.message_id: generation for generation in found}
    rated = Rating.objects.filter(message__in=part.messages, user=conversation.owner_id)
    opinions = {rating.message_id: rating for rating in rated}
    return {
        "turns": [
            as_dict(m, latest.get(m.pk), opinions.get(m.pk)) | _versions(part, m.pk)
            for m in part.messages
        ],
        "has_earlier": part.has_earlier,
        "is_newest": part.is_newest,
    }


def _versions(part: turns.BranchPart, message_id: int) -> dict[str, Any]:
    """Where there are other wordings of a question, or other answers to it: the ids of all."""
    found = part.versions.get(message_id)
    return {"versions": found} if found else {}


def as_dict(
    message: Message, generation: Generation | None, rating: Rating | None
) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": message.pk,
        "parent": message.parent_id,
        "role": message.role,
        "text": message.text,
        "reasoning": message.reasoning,
        "created_at": message.created_at,
        **({"is_person": True} if message.is_by_person else {}),
        **({"is_imported": True} if message.is_imported else {}),
    }
    if message.hidden_at:
        is_answer = message.role == Message.Role.ASSISTANT
        state = {"state": Generation.State.COMPLETE} if is_answer else {}
        return shown | {"text": str(MessageHidden.text), "is_hidden": True} | state
    if generation:
        shown |= {
            "generation": str(generation.pk),
            "state": generation.state,
            "model": generation.model,
            "finish_reason": generation.finish_reason,
            "omitted_messages": generation.omitted_messages,
            "base_length": generation.base_length,
        }
        if generation.reasoning_effort:
            shown["reasoning_effort"] = generation.reasoning_effort
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
                "cached_tokens": generation.cached_tokens,
                "neurons": generation.neurons,
                "cost_usd": generation.cost_usd,
            }
        if generation.milliseconds is not None:
            shown["timing"] = {
                "first_token_milliseconds": generation.first_token_milliseconds,
                "milliseconds": generation.milliseconds,
            }
    elif message.role == Message.Role.ASSISTANT and message.text:
        shown["state"] = Generation.State.COMPLETE  # it came with a chat that somebody shared
    if rating:
        shown["rating"] = {
            "value": rating.value,
            "reason": rating.reason,
            "comment": rating.comment,
        }
    return shown
