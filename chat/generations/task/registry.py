"""The generations that run, or ran lately, in this process: found by id, ended when abandoned."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from weakref import WeakValueDictionary

from django.conf import settings
from django.db import DatabaseError

from chat.generations.task.task import GenerationTask, Keep
from chat.upstream.events import Event

#: Finished answers kept for late readers, all together; the oldest go first.
KEPT_BYTES = 64 * 1024 * 1024


#: Whether somebody reads it in another process, or did within that many seconds.
SeenElsewhere = Callable[[uuid.UUID, float], Awaitable[bool]]


@dataclass(slots=True)
class _Entry:
    generation: GenerationTask
    abandoned_after_seconds: float  # 0: never
    seen_elsewhere: SeenElsewhere | None  # None: nobody can


_entries: dict[uuid.UUID, _Entry] = {}
_names: WeakValueDictionary[str, GenerationTask] = WeakValueDictionary()
_asking: set[asyncio.Task[None]] = set()


def start(
    generation: GenerationTask,
    events: AsyncGenerator[Event],
    abandoned_after_seconds: float,
    keep: Keep | None = None,
    seen_elsewhere: SeenElsewhere | None = None,
) -> GenerationTask:
    """Runs `events`; with nobody reading it for that many seconds (if any) it is stopped."""
    _entries[generation.id] = _Entry(generation, abandoned_after_seconds, seen_elsewhere)
    generation.start(events, keep).add_done_callback(lambda _: _retire(generation))
    _watch(generation)
    return generation


def find(generation_id: uuid.UUID) -> GenerationTask | None:
    entry = _entries.get(generation_id)
    return entry.generation if entry else None


def name(generation: GenerationTask, key: str) -> None:
    """From now on `named` finds it by this key, and no earlier one."""
    _names[key] = generation


def named(key: str) -> GenerationTask | None:
    generation = _names.get(key)
    return find(generation.id) if generation else None


def running() -> list[GenerationTask]:
    return [e.generation for e in _entries.values() if e.generation.state == "running"]


def running_count() -> int:
    return sum(e.generation.state == "running" for e in _entries.values())


def forget() -> None:
    """Empties the registry."""
    _entries.clear()


class Subscription:
    """One reader of an answer in this process. While any is open, the answer is not abandoned.

    Whoever is about to be answered has one, too: the clock of abandonment starts when they go, not
    when the model takes its time. Open and close it on the event loop, close it as often as you
    like; `close_from_any_thread` is for whoever is elsewhere.
    """

    def __init__(self, generation: GenerationTask) -> None:
        self._generation: GenerationTask | None = generation
        self._loop = asyncio.get_running_loop()
        generation.subscribers += 1

    def close(self) -> None:
        generation, self._generation = self._generation, None
        if generation is None:
            return
        generation.subscribers -= 1
        generation.last_seen = self._loop.time()
        _watch(generation)

    def close_from_any_thread(self) -> None:
        with suppress(RuntimeError):  # the loop has ended, and the answer with it
            self._loop.call_soon_threadsafe(self.close)


def subscribe(generation: GenerationTask) -> Subscription:
    """Counts one more reader of `generation`, until the subscription is closed."""
    return Subscription(generation)


def _watch(generation: GenerationTask) -> None:
    seconds = _entries[generation.id].abandoned_after_seconds if generation.id in _entries else 0
    if generation.subscribers or generation.state != "running" or not seconds:
        return
    loop = asyncio.get_running_loop()
    loop.call_later(seconds, _stop_if_abandoned, generation, loop.time())


def _stop_if_abandoned(generation: GenerationTask, since: float) -> None:
    entry = _entries.get(generation.id)
    if entry is None or generation.subscribers or generation.last_seen > since:
        return
    if entry.seen_elsewhere is None:
        generation.stop()
        return
    task = asyncio.create_task(_ask_elsewhere(entry, entry.seen_elsewhere))
    _asking.add(task)
    task.add_done_callback(_asking.discard)


async def _ask_elsewhere(entry: _Entry, seen_elsewhere: SeenElsewhere) -> None:
    """Stops it if nobody reads it anywhere; else looks again later."""
    try:
        is_read = await seen_elsewhere(entry.generation.id, entry.abandoned_after_seconds)
    except DatabaseError:
        is_read = True  # better an answer too many than one that somebody reads
    if is_read:
        _watch(entry.generation)
    elif not entry.generation.subscribers:
        entry.generation.stop()


def _retire(generation: GenerationTask) -> None:
    loop = asyncio.get_running_loop()
    loop.call_later(settings.LOG_KEEP_SECONDS, _entries.pop, generation.id, None)
    kept = list(_finished())
    surplus = sum(each.log.size_bytes for each in kept) - KEPT_BYTES
    for oldest in kept:
        if surplus <= 0:
            return
        surplus -= oldest.log.size_bytes
        _entries.pop(oldest.id, None)


def _finished() -> Iterator[GenerationTask]:
    return (e.generation for e in _entries.values() if e.generation.state != "running")
