"""The HTTP client of the model provider: one request in, pieces of an answer out.

httpx is the interface. Its own transport loses connections when tasks are cancelled and costs much
CPU per token, so the project's own transport (sockets/transport.py) or the emulator's
carries the bytes. Every wait is timed by the project's own clock (answer_deadline.py).
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, closing, suppress
from typing import cast

import httpx

from chat.errors import (
    NotStreamed,
    UpstreamDisconnected,
    UpstreamError,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from chat.lib.loop_budget import LoopBudget
from chat.lib.sse import SseDecoder
from chat.upstream.answer_deadline import AnswerDeadline, Timeouts
from chat.upstream.chunks import Chunk, decode_document
from chat.upstream.decoding.normalizer import Normalizer
from chat.upstream.decoding.stream_decoding import UNITS_PER_TURN, last_steps, steps
from chat.upstream.errors import ReportedError, error_for, reported_error
from chat.upstream.events import AnswerOpened, Event
from chat.upstream.request import CompletionRequest, ProviderEndpoint

TRANSPORT_ERRORS = (httpx.HTTPError, OSError)
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout)
MAX_ERROR_BYTES = 64 * 1024
MAX_DOCUMENT_BYTES = 2 * 1024 * 1024
#: Returns the next bytes of a body, empty at its end.
Read = Callable[[], Awaitable[bytes]]


class Upstream:
    """A client of one endpoint. It belongs to the event loop that first uses it."""

    def __init__(
        self, endpoint: ProviderEndpoint, transport: httpx.AsyncBaseTransport, timeouts: Timeouts
    ) -> None:
        self.endpoint, self.timeouts = endpoint, timeouts
        self._http = httpx.AsyncClient(transport=transport, follow_redirects=False, trust_env=False)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def ask(self, question: CompletionRequest, stream: bool = True) -> AsyncGenerator[Event]:
        """Yield `AnswerOpened`, text and reasoning, then `Finished`; raise `UpstreamError`.

        Closing the iterator closes the connection at once.
        """
        with closing(AnswerDeadline(self.timeouts)) as deadline:
            async with self._response(question, stream, deadline) as response:
                yield _opened(question, response)
                normaliser = Normalizer(
                    starts_in_reasoning=question.starts_in_reasoning,
                    has_log_probs=question.wants_log_probs,
                )
                answer = _read_stream if _is_event_stream(response) else _read_document
                async with aclosing(answer(response, normaliser, deadline)) as events:
                    async for event in events:
                        yield event

    @asynccontextmanager
    async def _response(
        self, question: CompletionRequest, stream: bool, deadline: AnswerDeadline
    ) -> AsyncIterator[httpx.Response]:
        """Send the question; yield and raise as `sent` does."""
        body = self.endpoint.body(question, stream)
        async with self.sent(
            self.endpoint.url(question.provider_id), question, body, deadline
        ) as response:
            yield response

    @asynccontextmanager
    async def sent(
        self,
        url: str,
        question: CompletionRequest,
        body: bytes | None,
        deadline: AnswerDeadline,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[httpx.Response]:
        """Send the request; yield the response if its status is 200, and close it afterwards.

        `headers` replace those of the endpoint. Raise `UpstreamError` for any other status, a
        timeout or a failed connection.
        """
        # `build_request` would add the client's cookies, so one person's answer could set what is
        # sent with another's question.
        request = httpx.Request(
            "GET" if body is None else "POST",
            url,
            headers=self.endpoint.headers(question) | dict(headers or {}),
            content=body,
            extensions={"timeout": {"connect": self.timeouts.connect}},
        )
        try:
            response = await deadline.wait(self._http.send(request, stream=True))
        except TimeoutError as error:
            raise UpstreamTimeout(detail="no answer in time") from error
        except TRANSPORT_ERRORS as error:
            raise _connection_error(error) from error
        try:
            if response.status_code != 200:
                raise await _refusal(response, deadline)
            yield response
        finally:
            with suppress(*TRANSPORT_ERRORS):  # already broken: nothing is left to close
                await response.aclose()
            # httpx's response and stream know each other: without this, the request's body, and
            # what its task returns, stay in memory until cycles are collected.
            response.stream = httpx.ByteStream(b"")


@asynccontextmanager
async def reading(response: httpx.Response) -> AsyncIterator[Read]:
    """Return a function that returns the next bytes of the body, empty at the end.

    No content encoding was requested, so none is decoded.
    """
    read: Read | None = response.extensions.get("read")
    if read:
        yield read
        return
    chunks = cast("AsyncGenerator[bytes]", aiter(cast("httpx.AsyncByteStream", response.stream)))
    async with aclosing(chunks):
        yield lambda: anext(chunks, b"")


async def next_bytes(read: Read, deadline: AnswerDeadline) -> bytes:
    """Return the next bytes, empty at the end; raise `UpstreamError` on a timeout or failure."""
    try:
        chunk = await deadline.wait(read())
    except TimeoutError as error:
        raise UpstreamTimeout(detail="silent for too long") from error
    except TRANSPORT_ERRORS as error:
        raise _connection_error(error) from error
    deadline.saw_bytes()
    return chunk


async def _read_stream(
    response: httpx.Response, normaliser: Normalizer, deadline: AnswerDeadline
) -> AsyncGenerator[Event]:
    """Yield the events of a streamed answer."""
    decoder = SseDecoder()
    budget = LoopBudget(UNITS_PER_TURN)
    async with reading(response) as read:
        while chunk := await next_bytes(read, deadline):
            for pieces, units in steps(decoder, normaliser, chunk):
                if pieces:
                    deadline.saw_content()
                for piece in pieces:
                    yield piece
                if budget.spend(units):
                    await budget.pause()
            if normaliser.refusal:
                raise error_for(normaliser.refusal)
            if normaliser.done:
                _keep_connection(response)
                break
    for pieces, units in last_steps(decoder, normaliser):
        for piece in pieces:
            yield piece
        if budget.spend(units):
            await budget.pause()
    for event in _last_events(normaliser):
        yield event


def _keep_connection(response: httpx.Response) -> None:
    """Keep the connection: the answer is complete, and only the end of its encoding may follow."""
    drain = response.extensions.get("drain")
    if drain:
        drain()


def _last_events(normaliser: Normalizer) -> list[Event]:
    if normaliser.refusal:
        raise error_for(normaliser.refusal)
    held, finished = normaliser.finished()
    return [*held, finished]


async def _read_document(
    response: httpx.Response, normaliser: Normalizer, deadline: AnswerDeadline
) -> AsyncGenerator[Event]:
    """Yield the events of an answer sent as one document, though a stream was requested.

    Raise `NotStreamed` if it is empty.
    """
    chunk = await _json(response, deadline, MAX_DOCUMENT_BYTES)
    if chunk is None:
        raise UpstreamDisconnected(detail="neither an event stream nor JSON")
    pieces = normaliser.document(chunk)
    if normaliser.refusal:
        raise error_for(normaliser.refusal)
    if not normaliser.done:
        raise NotStreamed(detail="an empty document")
    for event in [*pieces, *_last_events(normaliser)]:
        yield event


async def _json(response: httpx.Response, deadline: AnswerDeadline, max_bytes: int) -> Chunk | None:
    """Return the body as a JSON object; None if it is anything else or exceeds `max_bytes`."""
    body = bytearray()
    async with reading(response) as read:
        while chunk := await next_bytes(read, deadline):
            body += chunk
            if len(body) > max_bytes:
                return None
    return decode_document(body)


async def _refusal(response: httpx.Response, deadline: AnswerDeadline) -> UpstreamError:
    """Return the error for a response with a status other than 200."""
    try:
        chunk = await _json(response, deadline, MAX_ERROR_BYTES)
    except UpstreamError:
        chunk = None
    reported = reported_error(chunk, "error") if chunk else None
    return error_for(
        reported or ReportedError(None, ""), response.status_code, _retry_after_seconds(response)
    )


def _connection_error(error: Exception) -> UpstreamError:
    kind = UpstreamUnreachable if isinstance(error, NEVER_SENT) else UpstreamDisconnected
    return kind(detail=type(error).__name__)


def _retry_after_seconds(response: httpx.Response) -> float | None:
    text = response.headers.get("retry-after", "")
    return min(float(text), 3600.0) if text.isascii() and text.isdigit() else None


def _is_event_stream(response: httpx.Response) -> bool:
    kind: str = response.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower() == "text/event-stream"


def _routed_to(response: httpx.Response) -> str:
    """Return the model that a route of AI Gateway chose; empty if it was not asked to."""
    name: str = response.headers.get("cf-aig-model", "")
    return name.removeprefix("workers-ai/")[:200]


def _opened(question: CompletionRequest, response: httpx.Response) -> AnswerOpened:
    return AnswerOpened(
        model=question.model,
        gateway_log_id=response.headers.get("cf-aig-log-id", "")[:100],
        gateway_cache_status=response.headers.get("cf-aig-cache-status", "")[:20],
        routed_to=_routed_to(response),
    )
