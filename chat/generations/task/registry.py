"""Keep the running and recently finished generations of this process; stop abandoned ones."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from weakref import WeakValueDictionary

from django.db import DatabaseError

from chat.generations.task.finished_answers import FinishedAnswers
from chat.generations.task.task import GenerationTask, ResultHandler
from chat.lib.background_tasks import BackgroundTasks
from chat.upstream.events import Event

#: A timer that is later than this was held up with everything else, so readers had no time.
LATE_SECONDS = 0.25
#: Returns whether another process has a reader, or had one within that many seconds.
SeenElsewhere = Callable[[uuid.UUID, float], Awaitable[bool]]


@dataclass(slots=True)
class _Entry:
    generation: GenerationTask
    abandoned_after_seconds: float  # 0: never
    seen_elsewhere: SeenElsewhere | None  # None: other processes cannot read it


_entries: dict[uuid.UUID, _Entry] = {}
_running: dict[uuid.UUID, GenerationTask] = {}
_finished = FinishedAnswers(lambda generation_id: _entries.pop(generation_id, None))
_names: WeakValueDictionary[str, GenerationTask] = WeakValueDictionary()
_asking = BackgroundTasks()


def start(
    generation: GenerationTask,
    events: AsyncGenerator[Event],
    abandoned_after_seconds: float,
    keep: ResultHandler | None = None,
    seen_elsewhere: SeenElsewhere | None = None,
) -> GenerationTask:
    """Run `events`; stop them if there is no reader for `abandoned_after_seconds` (0: never)."""
    _entries[generation.id] = _Entry(generation, abandoned_after_seconds, seen_elsewhere)
    _running[generation.id] = generation
    generation.start(events, keep).add_done_callback(lambda _: _retire(generation))
    _watch(generation)
    return generation


def find(generation_id: uuid.UUID) -> GenerationTask | None:
    entry = _entries.get(generation_id)
    return entry.generation if entry else None


def register_name(generation: GenerationTask, key: str) -> None:
    """Make `find_by_name` find this generation by `key`, replacing an earlier one."""
    _names[key] = generation


def find_by_name(key: str) -> GenerationTask | None:
    """Return the generation that `register_name` stored under `key`; None if it is gone."""
    generation = _names.get(key)
    return find(generation.id) if generation else None


def running() -> list[GenerationTask]:
    return [each for each in _running.values() if each.state == "running"]


def running_count() -> int:
    return len(_running)


def clear() -> None:
    """Empty the registry."""
    _entries.clear()
    _running.clear()
    _finished.clear()


class Subscription:
    """A reader of an answer in this process. While one is open, the answer is not abandoned.

    A request that waits for its first frame has one too, so the timeout starts when its client
    disconnects, even if the model is slow. Open and close it on the event loop; from other threads
    use `close_from_any_thread`. Closing it twice is harmless.
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
    """Count one more reader of `generation` until the subscription is closed."""
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
    late = asyncio.get_running_loop().time() - since - entry.abandoned_after_seconds
    if late > LATE_SECONDS:  # readers could not arrive either
        _watch(generation)
        return
    if entry.seen_elsewhere is None:
        generation.stop()
        return
    _asking.start(_ask_elsewhere(entry, entry.seen_elsewhere))


async def _ask_elsewhere(entry: _Entry, seen_elsewhere: SeenElsewhere) -> None:
    """Stop the answer if it has no reader in any process; otherwise check again later."""
    try:
        is_read = await seen_elsewhere(entry.generation.id, entry.abandoned_after_seconds)
    except DatabaseError:
        is_read = True  # rather finish an unread answer than stop one that is read
    if is_read:
        _watch(entry.generation)
    elif not entry.generation.subscribers:
        entry.generation.stop()


def _retire(generation: GenerationTask) -> None:
    if _running.pop(generation.id, None) is None:
        return  # `clear` was called while it ran
    generation.release()
    _finished.add(generation)
