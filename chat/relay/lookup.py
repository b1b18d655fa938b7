"""The only door to a generation by its id: live in this process, or as stored."""

import uuid
from dataclasses import dataclass

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
    return (
        Generation.objects.filter(
            owner=user_id, id=generation_id, message__conversation__goes_at=None
        )
        .select_related("message")
        .first()
    )


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
