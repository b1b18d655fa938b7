"""Keep the calls of a program as conversations of the member whose key it uses.

A call that repeats the history of an answer kept before continues its conversation; any other one
begins a new conversation with all that the program sent.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from chat.conversations import access, branches, turns
from chat.conversations.generation_settings import store_settings
from chat.conversations.models import Message, ProgramHistory
from chat.conversations.program_chats import (
    ANSWER,
    ProgramTurn,
    answer_text,
    digest_of,
    history_in,
    instructions_in,
    turns_of,
)
from chat.conversations.prompt import PromptMessage
from chat.conversations.sizes import storage
from chat.conversations.sizes.counted import MESSAGE_BYTES
from chat.conversations.sizes.limits import require_capacity
from chat.database import threads
from chat.errors import ChatError
from chat.generations.delivery import notifications
from chat.generations.models import Generation
from chat.generations.result import Result
from chat.generations.storage.checkpoint import columns_of
from chat.generations.task.task import GenerationTask
from chat.lib.text import clean
from chat.personas.settings import GenerationSettings
from chat.upstream.request import CompletionRequest

#: Longer instructions are not stored: they would not count as storage.
MAX_INSTRUCTIONS_CHARS = 20_000
MAX_CANDIDATES = 5

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ProgramCall:
    """What a program asked with a key of this member."""

    user_id: int
    key_id: int
    model: str
    reasoning_effort: str
    max_tokens: int
    instructions: str
    turns: list[ProgramTurn]


def prepare(user_id: int, key_id: int, question: CompletionRequest) -> ProgramCall:
    """Return what is to be kept of a call.

    Raise `StorageFull` or `ConversationFull` if there is no room for it. Reads the database.
    """
    call = ProgramCall(
        user_id=user_id,
        key_id=key_id,
        model=question.model,
        reasoning_effort=question.reasoning_effort,
        max_tokens=question.max_tokens,
        instructions=instructions_in(question.messages),
        turns=turns_of(question.messages),
    )
    require_capacity(len(call.turns) + 1)
    added = call.turns[-1:] if _candidates(call) else call.turns
    size = sum(storage.bytes_of(each.text) + MESSAGE_BYTES for each in added)
    storage.require_storage(user_id, size)
    return call


async def keep(call: ProgramCall, live: GenerationTask, result: Result) -> None:
    """Store the call and its answer, unless there is none. Never raise: the program has it."""
    if not (live.has_output or result.tool_calls):
        return
    model = live.opened.model if live.opened else call.model
    calls = tuple(
        {"id": "", "function": {"name": each.name, "arguments": each.arguments or "{}"}}
        for each in result.tool_calls
    )
    answer = PromptMessage("assistant", live.text, calls, reasoning=live.reasoning)
    try:
        conversation_id = await threads.writer.run(_store, call, live.id, answer, result, model)
    except Exception as error:
        log.error("a program's call was not kept: %s", type(error).__name__)
        return
    notifications.notify_in_background(call.user_id, "turn", conversation_id)


@transaction.atomic
def _store(
    call: ProgramCall, generation_id: UUID, answer: PromptMessage, result: Result, model: str
) -> UUID:
    text = answer_text(answer)
    last = _last_answer(call)
    if last is None:
        last = _begin(call)
    conversation = last.conversation
    question = turns.post_question(conversation, call.turns[-1].text, last if last.pk else None)
    message = Message.objects.create(
        conversation=conversation,
        parent=question,
        role=Message.Role.ASSISTANT,
        text=text,
        reasoning=clean(answer.reasoning),
    )
    now, took = timezone.now(), result.timing.milliseconds if result.timing else 0
    columns = columns_of(result) | {"length": len(text)}
    Generation.objects.create(
        id=generation_id,
        owner_id=call.user_id,
        message=message,
        model=model,
        send_key=f"api-{generation_id.hex}",
        max_tokens=call.max_tokens,
        reasoning_effort=call.reasoning_effort,
        started_at=now - timedelta(milliseconds=took),
        ended_at=now,
        **columns,
    )
    turns_with_answer = [*call.turns, ProgramTurn(ANSWER, text)]
    ProgramHistory.objects.create(message=message, digest=digest_of(call.key_id, turns_with_answer))
    return conversation.pk


def _candidates(call: ProgramCall) -> list[Message]:
    """Return the answers that had this history, the newest first; none for a first question."""
    history = history_in(call.turns)
    if not history:
        return []
    messages = Message.objects.filter(
        programhistory__digest=digest_of(call.key_id, history),
        deleted_at=None,
        conversation__owner=call.user_id,
        conversation__purge_after=None,
        conversation__closed_at=None,
    )
    return list(messages.defer("text", "reasoning").order_by("-pk")[:MAX_CANDIDATES])


def _last_answer(call: ProgramCall) -> Message | None:
    """Return the answer that the call continues, and lock its conversation; None if there is none.

    A conversation without room for more is not continued.
    """
    for each in _candidates(call):
        try:
            conversation = access.conversation_of(
                call.user_id, each.conversation_id, to_change=True
            )
            message = access.message_of(conversation, each.pk)
        except ChatError:
            continue
        if turns.message_count(conversation.pk) + 2 <= settings.MAX_CONVERSATION_MESSAGES:
            message.conversation = conversation
            return message
    return None


def _begin(call: ProgramCall) -> Message:
    """Store a new conversation with the history; return its last message, not stored if none.

    Whether a model wrote the answers in it is unknown, which `is_imported` says.
    """
    history = history_in(call.turns)
    conversation = turns.start_conversation(call.user_id, call.key_id)
    conversation.title = next(
        filter(None, (turns.title_from(each.text) for each in call.turns)), ""
    )
    if len(call.instructions) <= MAX_INSTRUCTIONS_CHARS:
        store_settings(conversation, GenerationSettings(system_prompt=call.instructions))
    made = Message.objects.bulk_create(
        Message(
            conversation=conversation,
            role=each.role,
            text=each.text,
            is_imported=each.role == ANSWER,
        )
        for each in history
    )
    branches.link_messages(made, None)
    return made[-1] if made else Message(conversation=conversation)
