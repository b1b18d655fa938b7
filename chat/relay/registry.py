"""The generations of this process: found by id, stopped when abandoned, forgotten after a while."""

import asyncio
from collections.abc import AsyncGenerator

from django.conf import settings

from chat.errors import NotFound
from chat.relay.events import Event
from chat.relay.generation import Generation

#: Finished answers kept for late readers, all together; the oldest go first.
KEPT_BYTES = 64 * 1024 * 1024

_generations: dict[str, Generation] = {}


def start(owner: str, events: AsyncGenerator[Event]) -> Generation:
    """A running generation of `owner`'s."""
    generation = Generation(owner, settings.MAX_ANSWER_CHARS)
    _generations[generation.id] = generation
    generation.start(events).add_done_callback(lambda _: _retire(generation))
    _watch(generation)
    return generation


def access(owner: str, generation_id: str) -> Generation:
    """The only door to a generation by its id; a stranger's is not found."""
    generation = _generations.get(generation_id)
    if generation is None or generation.owner != owner:
        raise NotFound
    return generation


def join(generation: Generation) -> None:
    generation.viewers += 1


def leave(generation: Generation) -> None:
    """A reader went; the last one starts the clock of abandonment."""
    generation.viewers -= 1
    generation.last_seen = asyncio.get_running_loop().time()
    _watch(generation)


def _watch(generation: Generation) -> None:
    if generation.viewers or generation.state != "running":
        return
    loop = asyncio.get_running_loop()
    loop.call_later(settings.ABANDONED_AFTER_SECONDS, _stop_if_abandoned, generation, loop.time())


def _stop_if_abandoned(generation: Generation, since: float) -> None:
    if not generation.viewers and generation.last_seen <= since:
        generation.stop()


def _retire(generation: Generation) -> None:
    loop = asyncio.get_running_loop()
    loop.call_later(settings.LOG_KEEP_SECONDS, _generations.pop, generation.id, None)
    kept = [each for each in _generations.values() if each.state != "running"]
    surplus = sum(each.log.size_bytes for each in kept) - KEPT_BYTES
    for oldest in kept:
        if surplus <= 0:
            return
        surplus -= oldest.log.size_bytes
        _generations.pop(oldest.id, None)
