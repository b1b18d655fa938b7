"""A TCP proxy that cuts what a server sends anywhere: inside a line, inside a character."""

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


@contextmanager
def rechunking(url: str, largest: int, seed: int) -> Iterator[str]:
    """The address of `url` with every answer in pieces of 1 to `largest` bytes."""
    proxy = _Proxy(urlsplit(url).hostname or "", urlsplit(url).port or 80, largest, seed)
    thread = threading.Thread(target=lambda: asyncio.run(proxy.run()))
    thread.start()
    proxy.ready.wait(10)
    try:
        yield f"http://127.0.0.1:{proxy.port}"
    finally:
        proxy.loop.call_soon_threadsafe(proxy.end.set)
        thread.join(10)


class _Proxy:
    def __init__(self, host: str, port: int, largest: int, seed: int) -> None:
        self._target = (host, port)
        self._largest, self._cut = largest, random.Random(seed)
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
            await asyncio.gather(
                _copy(reader, back, lambda data: len(data)),
                _copy(there, writer, lambda _: self._cut.randint(1, self._largest)),
            )


async def _copy(
    source: asyncio.StreamReader, sink: asyncio.StreamWriter, size: Callable[[bytes], int]
) -> None:
    try:
        while data := await source.read(65536):
            while data:
                length = size(data)
                sink.write(data[:length])
                await sink.drain()
                data = data[length:]
    finally:
        sink.close()
