"""The only door to a generation, by its id or its send: live in this process, or as stored."""

import uuid
from dataclasses import dataclass

from django.db.models import QuerySet

from chat.accounts.principals import Principal
from chat.errors import NotFound
from chat.relay import registry, threads
from chat.relay.generation import Generation as Live
from chat.relay.models import Generation


@dataclass(frozen=True, slots=True)
class Found:
    """`live` if this process has its log in memory, `stored` if the database has a row."""

    id: uuid.UUID
    live: Live | None
    stored: Generation | None


async def generation_of(principal: Principal, generation_id: uuid.UUID) -> Found:
    """The principal's generation; a stranger's, or none, is `NotFound`."""
    live = registry.find(generation_id)
    if live and live.owner == principal.key and not live.is_stored:
        return Found(generation_id, live, None)
    stored = await threads.readers.run(_stored, principal.user_id, generation_id)
    if stored is None:
        raise NotFound
    return Found(generation_id, live, stored)


def _stored(user_id: int, generation_id: uuid.UUID) -> Generation | None:
    """None also where the conversation was deleted, whatever this process still has in memory."""
    found = _present().filter(owner=user_id, id=generation_id)
    return found.select_related("message").first()


def _present() -> QuerySet[Generation]:
    return Generation.objects.filter(message__conversation__goes_at=None)


async def conversation_of_send(principal: Principal, key: str) -> uuid.UUID:
    """Where the principal's send of this key is stored; `NotFound` if it is not."""
    found = await threads.readers.run(_conversation_of, principal.user_id, key)
    if found is None:
        raise NotFound
    return found


def _conversation_of(user_id: int, key: str) -> uuid.UUID | None:
    sent = _present().filter(owner=user_id, send_key=key)
    return sent.values_list("message__conversation", flat=True).first()


async def stop(found: Found) -> None:
    """Stops it here at once, in another process with that one's next flush."""
    if found.live:
        found.live.stop()
    else:
        await threads.writer.run(_request_stop, found.id)


def _request_stop(generation_id: uuid.UUID) -> None:
    Generation.objects.filter(id=generation_id, state=Generation.State.RUNNING).update(
        stop_requested=True
    )
