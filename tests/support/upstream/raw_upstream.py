"""Fake a model provider with raw bytes, which are sent exactly as given."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Handler = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]
EVENT_STREAM = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
)


@dataclass
class RawUpstream:
    """`requests` records each raw request; `open` counts connections."""

    url: str
    requests: list[bytes] = field(default_factory=list)
    open: int = 0
    closed: asyncio.Event = field(default_factory=asyncio.Event)


@asynccontextmanager
async def raw_upstream(handler: Handler) -> AsyncIterator[RawUpstream]:
    """Serve `handler(request, writer)` on a free port; it may leave the connection open."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream.open += 1
        tasks.add(asyncio.current_task())
        try:
            while request := await _request(reader):
                upstream.requests.append(request)
                await handler(request, writer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            upstream.open -= 1
            upstream.closed.set()
            writer.close()

    upstream = RawUpstream("")
    tasks: set[asyncio.Task[None] | None] = set()
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    upstream.url = f"http://127.0.0.1:{port}/client/v4"
    try:
        yield upstream
    finally:
        server.close()
        for task in tasks:
            if task:
                task.cancel()


async def _request(reader: asyncio.StreamReader) -> bytes:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return head + await reader.readexactly(length)


def chunk(data: bytes) -> bytes:
    """Return one HTTP chunk."""
    return b"%x\r\n%b\r\n" % (len(data), data) if data else b""


def stream_of(*parts: bytes, end: bool = True) -> bytes:
    """Return a whole chunked event stream, with one HTTP chunk per part."""
    return EVENT_STREAM + b"".join(map(chunk, parts)) + (b"0\r\n\r\n" if end else b"")


def plain(
    status: int, body: bytes, content_type: str = "application/json", extra: str = ""
) -> bytes:
    """Return a response with Content-Length."""
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + extra.encode() + b"\r\n" + body


def always(answer: bytes) -> Handler:
    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)

    return handler


def in_turn(*answers: bytes) -> Handler:
    """Give one answer per request, in order; the last one is repeated."""
    left = list(answers)

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(left.pop(0) if len(left) > 1 else left[0])

    return handler
