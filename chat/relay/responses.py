"""The HTTP answer that carries a generation's log."""

from collections.abc import AsyncGenerator

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections
from django.http import HttpResponse, StreamingHttpResponse

from chat.errors import BadRequest
from chat.relay.generation import Generation
from chat.relay.readers import follow

#: An answer that fails within this time says so by its HTTP status, a later one inside the stream.
STATUS_WAIT_SECONDS = 2.0


class LogResponse(StreamingHttpResponse):
    """Iterated, it is the reader itself, so that whoever closes it closes the reader.

    Django's own wraps it in a generator whose end leaves the inner one to the garbage collector.
    """

    def __init__(self, reader: AsyncGenerator[bytes]) -> None:
        super().__init__(reader, content_type="text/event-stream")
        self._reader = reader

    def __aiter__(self) -> AsyncGenerator[bytes]:
        return self._reader


async def first_response(generation: Generation) -> StreamingHttpResponse:
    """The stream from its beginning, for the request that started it; raises an early failure."""
    await generation.log.wait(0, STATUS_WAIT_SECONDS)
    if generation.error and generation.log.terminal_at == 0:
        raise generation.error
    return await _stream(generation, after=0)


async def resumed_response(
    generation: Generation, after: int
) -> HttpResponse | StreamingHttpResponse:
    """The stream after frame `after`; 204 where nothing can follow, which stops an EventSource."""
    if generation.log.closed and after == len(generation.log):
        return HttpResponse(status=204)
    return await _stream(generation, after)


def cursor_of(last_event_id: str | None, after: str | None) -> int:
    """The cursor a client states, by header (a browser's own) or by query; 0 is the beginning."""
    text = last_event_id or after or "0"
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise BadRequest("The place to go on from must be a whole number.")
    return int(text)


async def _stream(generation: Generation, after: int) -> StreamingHttpResponse:
    # A stream may last minutes; what the view asked of the database it has got.
    await sync_to_async(connections.close_all)()
    response = LogResponse(follow(generation, after, settings.HEARTBEAT_SECONDS))
    response["Cache-Control"] = "no-cache, no-transform"
    response["X-Accel-Buffering"] = "no"
    response["X-Generation-Id"] = generation.id
    return response
