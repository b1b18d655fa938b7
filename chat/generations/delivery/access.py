"""Check access to a generation, by its id or its send key. All readers come through here."""

import uuid
from dataclasses import dataclass

from chat.accounts.principals import Principal
from chat.conversations.handoff import human_handoff
from chat.conversations.models import Conversation, Message
from chat.database import threads
from chat.errors import NotFound
from chat.generations.models import Generation
from chat.generations.process import server_process
from chat.generations.task import cancellation, registry
from chat.generations.task.task import GenerationTask


@dataclass(frozen=True, slots=True)
class FoundGeneration:
    """A generation that the principal may read.

    `live` is set if this process has its log in memory; otherwise the log is in the database.
    Streams hold this object until they end, so it contains no row, which would keep the whole text
    in memory.
    """

    id: uuid.UUID
    live: GenerationTask | None


async def generation_of(principal: Principal, generation_id: uuid.UUID) -> FoundGeneration:
    """Return the principal's generation; raise `NotFound` if it does not exist or is not theirs."""
    live = registry.find(generation_id)
    if live and live.owner == principal.key and not live.is_stored:
        return FoundGeneration(generation_id, live)
    if not await threads.readers.run(_is_stored, principal.user_id, generation_id):
        raise NotFound
    return FoundGeneration(generation_id, live)


def _is_stored(user_id: int, generation_id: uuid.UUID) -> bool:
    """Return whether the user may read the stored generation.

    Deleted conversations and hidden answers are excluded, even while this process still has them in
    memory. They are queried only if the user has any: a join through the message would make SQLite
    read all of its text.
    """
    generations = Generation.objects.filter(owner=user_id, id=generation_id)
    deleted = Conversation.all_objects.filter(owner=user_id, purge_after__isnull=False)
    if deleted.exists():
        generations = generations.exclude(message__conversation__in=deleted)
    hidden = Message.objects.filter(conversation__owner=user_id, hidden_at__isnull=False)
    if hidden.exists():
        generations = generations.exclude(message__in=hidden)
    return generations.exists()


async def conversation_of_send(principal: Principal, key: str) -> uuid.UUID:
    """Return the conversation that stores the principal's send; raise `NotFound` if none does."""
    conversation_id = await threads.readers.run(_conversation_of, principal.user_id, key)
    if conversation_id is None:
        raise NotFound
    return conversation_id


def _conversation_of(user_id: int, key: str) -> uuid.UUID | None:
    sent = Generation.objects.filter(
        owner=user_id, send_key=key, message__conversation__purge_after=None
    )
    conversation_id = sent.values_list("message__conversation", flat=True).first()
    return conversation_id or human_handoff.conversation_of(user_id, key)


async def stop(generation: FoundGeneration) -> None:
    """Stop the generation: at once in this process, with the next flush in another one."""
    if generation.live:
        generation.live.stop()
    else:
        await threads.writer.run(_request_stop, generation.id)


def stop_as_reader(generation_id: uuid.UUID, session_key: str = "", token: str = "") -> bool:
    """Stop a generation of this process for somebody who is reading it here, without the database.

    Return False if there is no such reader: then the database knows.
    """
    live = registry.find(generation_id)
    reader = server_process.current().subscribers.reader_of(generation_id, session_key, token)
    if live is None or reader is None or live.owner != reader.key:
        return False
    live.stop()
    return True


def _request_stop(generation_id: uuid.UUID) -> None:
    cancellation.request_stop(Generation.objects.filter(id=generation_id))
