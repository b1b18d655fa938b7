"""Run TCP proxies in front of a server: one splits what it sends, one cuts connections."""

import asyncio
import random
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from tests.support.patience import PATIENCE_SECONDS

#: Forwards what the server sends, until its end.
Relay = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
STREAM_HEAD = b"content-type: text/event-stream"
WAIT_SECONDS = PATIENCE_SECONDS


@contextmanager
def rechunking(url: str, largest: int, seed: int) -> Iterator[str]:
    """Yield a URL that proxies `url`, with every answer in pieces of 1 to `largest` bytes."""
    cut = random.Random(seed)

    async def relay(there: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await there.read(65536):
            while data:
                length = cut.randint(1, largest)
                writer.write(data[:length])
                await writer.drain()
                data = data[length:]

    with _proxy(url, relay) as address:
        yield address


@contextmanager
def buffering(url: str, headers: bytes = b"Server: nginx/1.24.0\r\n") -> Iterator[str]:
    """Yield a URL that proxies `url`, collects each stream to its end, and adds `headers`."""

    async def relay(there: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held = b""
        while data := await there.read(65536):
            held += data
            if STREAM_HEAD in held.lower() and not held.endswith(b"0\r\n\r\n"):
                continue
            writer.write(held.replace(b"\r\n", b"\r\n" + headers, 1))
            await writer.drain()
            held = b""

    with _proxy(url, relay) as address:
        yield address


class Cutting:
    """Hold back all but the start of the first stream, until `cut` ends its connection."""

    def __init__(self, after_bytes: int) -> None:
        self.url = ""
        self._after_bytes = after_bytes
        self._held, self._cut = threading.Event(), threading.Event()

    def cut(self) -> None:
        """Cut the connection. Wait until the client has read its data: an error discards it."""
        assert self._held.wait(WAIT_SECONDS), "the stream was shorter"
        self._cut.set()

    def end(self) -> None:
        self._cut.set()

    async def relay(self, there: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        streamed = -1  # bytes since the head of a stream, on this connection
        while data := await there.read(4096):
            if STREAM_HEAD in data.lower():
                streamed = 0
            if streamed >= 0:
                streamed += len(data)
            writer.write(data)
            await writer.drain()
            if streamed > self._after_bytes and not self._cut.is_set():
                self._held.set()
                await asyncio.to_thread(self._cut.wait, WAIT_SECONDS)
                return


@contextmanager
def cutting(url: str, after_bytes: int) -> Iterator[Cutting]:
    """Yield a proxy of `url` that holds its first stream `after_bytes` after its head."""
    cutting = Cutting(after_bytes)
    with _proxy(url, cutting.relay) as cutting.url:
        try:
            yield cutting
        finally:
            cutting.end()


@contextmanager
def _proxy(url: str, relay: Relay) -> Iterator[str]:
    proxy = _Proxy(urlsplit(url).hostname or "", urlsplit(url).port or 80, relay)
    thread = threading.Thread(target=lambda: asyncio.run(proxy.run()))
    thread.start()
    proxy.ready.wait(10)
    try:
        yield f"http://127.0.0.1:{proxy.port}"
    finally:
        proxy.loop.call_soon_threadsafe(proxy.end.set)
        thread.join(10)


class _Proxy:
    def __init__(self, host: str, port: int, relay: Relay) -> None:
        self._target, self._relay = (host, port), relay
        self.ready = threading.Event()
        self.port = 0
        self.loop: asyncio.AbstractEventLoop
        self.end: asyncio.Event

    async def run(self) -> None:
        self.loop, self.end = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        await self.end.wait()
        server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(*self._target)
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(_upload(reader, back), self._download(there, writer, back))

    async def _download(
        self, there: asyncio.StreamReader, writer: asyncio.StreamWriter, back: asyncio.StreamWriter
    ) -> None:
        try:
            await self._relay(there, writer)
        finally:
            writer.close()
            back.close()


async def _upload(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
    finally:
        sink.close()
