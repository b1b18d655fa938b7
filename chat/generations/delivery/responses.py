"""HTTP responses that carry a generation's log."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, closing
from typing import Protocol
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from chat.accounts.principals import Principal
from chat.api_keys.errors import InvalidApiKey
from chat.database import threads
from chat.database.request_threads import release_request_thread
from chat.errors import BadRequest, ChatError, ShuttingDown, UpstreamDisconnected
from chat.generations.delivery.access import FoundGeneration
from chat.generations.delivery.encoders.base import Encoder
from chat.generations.delivery.encoders.whole import WholeAnswer
from chat.generations.delivery.encoders.workers_ai import WorkersAIEncoder
from chat.generations.delivery.log_response import LogResponse
from chat.generations.delivery.readers import (
    MemoryReader,
    Reader,
    StoredReader,
    WatchingReader,
    split_into_sends,
)
from chat.generations.log.frames import MAX_SEND_BYTES
from chat.generations.process import server_process
from chat.generations.process.subscribers import Subscriber, Watcher
from chat.generations.storage.stored_stream import can_follow
from chat.generations.task import registry
from chat.generations.task.errors import for_empty_answer
from chat.generations.task.registry import Subscription
from chat.generations.task.task import GenerationTask
from chat.lib.whole_number import whole_number

#: An answer that fails within this time sets the HTTP status; a later failure is in the stream.
STATUS_WAIT_SECONDS = 2.0
#: Of the number of a frame.
MAX_CURSOR_DIGITS = 9
#: When clients should retry after this process has begun to shut down.
RETURN_SECONDS = 2


async def first_response(
    live: GenerationTask,
    principal: Principal,
    headers: Mapping[str, str] | None = None,
    encoder: Encoder | None = None,
    status_wait_seconds: float | None = None,
) -> LogResponse:
    """Return the stream from its beginning, for the request that started the generation.

    Raise the error of an answer that fails within `status_wait_seconds`, which sets the HTTP
    status; a later failure is reported inside the stream.
    """
    all_headers = {"X-Generation-Id": str(live.id), **(headers or {})}
    wait_seconds = STATUS_WAIT_SECONDS if status_wait_seconds is None else status_wait_seconds
    subscription = registry.subscribe(live)
    try:
        await live.log.wait(0, wait_seconds)
        if server_process.current().shutting_down and not live.is_stored and not _has_text(live):
            raise ShuttingDown(retry_after_seconds=RETURN_SECONDS)
        is_refusal = live.error and live.state != "stopped"
        if live.error and is_refusal and live.log.terminal_at == 0 and live.log.closed:
            live.error.headers = all_headers
            raise live.error
    except BaseException:
        subscription.close()
        raise
    return _stream(FoundGeneration(live.id, live), principal, 0, all_headers, encoder, subscription)


async def resumed_response(
    generation: FoundGeneration,
    principal: Principal,
    after: int,
    headers: Mapping[str, str] | None = None,
    encoder: Encoder | None = None,
) -> HttpResponse | LogResponse:
    """Return the stream after frame `after`.

    The status is 204 if nothing can follow, which stops an EventSource.
    """
    all_headers = {"X-Generation-Id": str(generation.id), **(headers or {})}
    if not await _can_follow(generation, after):
        return HttpResponse(status=204, headers=all_headers)
    subscription = registry.subscribe(generation.live) if generation.live else None
    return _stream(generation, principal, after, all_headers, encoder, subscription)


async def read_whole(live: GenerationTask, principal: Principal) -> AsyncGenerator[bytes]:
    """Yield all frames, for a response that is sent once the answer has ended.

    Close the iterator if you stop reading early.
    """
    release_request_thread()
    with (
        server_process.current().subscribers.subscription(principal, live.id) as viewer,
        closing(MemoryReader(live, 0, settings.HEARTBEAT_SECONDS, viewer)) as reader,
    ):
        while (frames := await reader.next()) is not None:
            yield frames


class Collector(Protocol):
    """Something that builds one document from the frames of an answer."""

    @property
    def is_whole(self) -> bool: ...
    @property
    def error(self) -> Mapping[str, object] | None: ...
    def take(self, frames: bytes) -> None: ...


async def collect(live: GenerationTask, principal: Principal, into: Collector) -> dict[str, str]:
    """Read a complete answer into a collector; return the response headers.

    Raise the error of an incomplete answer: the client gets no part of it.
    """
    async with aclosing(read_whole(live, principal)) as frames:
        async for each in frames:
            into.take(each)
    # Nobody stops the call of a program but its own client, which would not read this.
    is_stopped = live.state == "stopped" and principal.api_key_id is not None
    if is_stopped or not into.is_whole:
        raise _failure(live, UpstreamDisconnected() if into.error else _why_it_left(principal))
    return {"X-Generation-Id": str(live.id), "Cache-Control": "no-store"}


def _why_it_left(principal: Principal) -> ChatError:
    """Return why a reader was sent away before the end."""
    if principal.api_key_id is not None and not server_process.current().shutting_down:
        return InvalidApiKey()  # it was revoked
    return ShuttingDown(retry_after_seconds=RETURN_SECONDS)


def _failure(live: GenerationTask, otherwise: ChatError) -> ChatError:
    """Return the error for an incomplete answer.

    OpenAI's clients retry such a status automatically. An answer that has begun costs money, so a
    header makes them leave the retry to the user.
    """
    error = for_empty_answer(live.error or otherwise)
    error.headers = {"X-Generation-Id": str(live.id)}
    if live.has_output:
        error.headers["X-Should-Retry"] = "false"
    return error


async def whole_response(live: GenerationTask, principal: Principal) -> JsonResponse:
    """Return the answer as one JSON object, for requests with `stream: false`."""
    answer = WholeAnswer()
    headers = await collect(live, principal, answer)
    return JsonResponse(answer.body(), headers=headers)


def watched_response(
    generation_id: UUID, principal: Principal, watching: Watcher, after: int
) -> LogResponse:
    """Return the stream for a watching staff member. The caller has authorised access."""
    headers = {"X-Generation-Id": str(generation_id)}
    generation = FoundGeneration(generation_id, registry.find(generation_id))
    encoder = WorkersAIEncoder()
    return LogResponse(_follow(generation, principal, after, encoder, watching), headers, encoder)


def cursor_of(last_event_id: str | None, after: str | None) -> int:
    """Return the cursor from the `Last-Event-ID` header or the query; 0 is the beginning.

    Raise `BadRequest` if it is not a whole number.
    """
    cursor = whole_number(last_event_id or after or "0", most_digits=MAX_CURSOR_DIGITS)
    if cursor is None:
        raise BadRequest(_("The position to resume from must be a whole number."))
    return cursor


async def _can_follow(generation: FoundGeneration, after: int) -> bool:
    if generation.live:
        return not (generation.live.log.closed and after == len(generation.live.log))
    return await threads.readers.run(can_follow, generation.id, after)


def _has_text(live: GenerationTask) -> bool:
    return live.log.terminal_at > 0 if live.log.closed else len(live.log) > 0


def _stream(
    generation: FoundGeneration,
    principal: Principal,
    after: int,
    headers: Mapping[str, str],
    encoder: Encoder | None,
    subscription: Subscription | None,
) -> LogResponse:
    encoder = encoder or WorkersAIEncoder()
    reader = _follow(generation, principal, after, encoder, subscription=subscription)
    return LogResponse(reader, headers, encoder, subscription)


async def _follow(
    generation: FoundGeneration,
    principal: Principal,
    after: int,
    encoder: Encoder,
    watching: Watcher | None = None,
    subscription: Subscription | None = None,
) -> AsyncGenerator[bytes]:
    release_request_thread()
    heartbeat_seconds = settings.HEARTBEAT_SECONDS
    clock = asyncio.get_running_loop().time
    heartbeat_at = 0.0  # 0: nothing sent yet
    try:
        with (
            server_process.current().subscribers.subscription(
                principal, generation.id, watching
            ) as viewer,
            closing(_reader(generation, after, heartbeat_seconds, viewer)) as reader,
        ):
            while (frames := await reader.next()) is not None:
                encoded = _encoded(encoder, frames, None if heartbeat_at else after)
                if not encoded and clock() >= heartbeat_at:
                    # The format omits reasoning, so there is nothing to send.
                    encoded = encoder.heartbeat()
                if encoded or not heartbeat_at:
                    heartbeat_at = clock() + heartbeat_seconds
                if len(encoded) <= MAX_SEND_BYTES:
                    if encoded:
                        yield encoded
                else:
                    for piece in split_into_sends(encoded):
                        yield piece
            # Without an opening, a reader that is closed at once could not resume.
            opening = b"" if heartbeat_at else encoder.opening(after, b"")
            if last := opening + encoder.closing():
                yield last
    finally:
        if subscription:
            subscription.close()


def _encoded(encoder: Encoder, frames: bytes, after: int | None) -> bytes:
    """Encode `frames`; `after` is given with the first ones, which may still be empty."""
    if after is not None:
        return encoder.opening(after, frames)
    return encoder.frames(frames) if frames else encoder.heartbeat()


def _reader(
    generation: FoundGeneration, after: int, heartbeat_seconds: float, viewer: Subscriber
) -> Reader:
    if generation.live and viewer.watching:
        return WatchingReader(generation.live, after, heartbeat_seconds, viewer)
    if generation.live:
        return MemoryReader(generation.live, after, heartbeat_seconds, viewer)
    return StoredReader(generation.id, after, heartbeat_seconds, viewer)
