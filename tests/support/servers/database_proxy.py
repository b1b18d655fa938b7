"""Run a proxy in front of PostgreSQL that can refuse, fall silent and come back."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.support.database.postgres import address_of, migrated_database
from tests.support.patience import PATIENCE_SECONDS

START_SECONDS = PATIENCE_SECONDS


class DatabaseProxy:
    """A way to a PostgreSQL server over TCP. Its methods may be called from any thread."""

    def __init__(self, address: str) -> None:
        self.direct_url = address_of(address, migrated_database(address))
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._connections: set[_Connection] = set()
        self._is_silent = False
        self._port = 0
        self._thread = threading.Thread(target=self._run)

    @property
    def url(self) -> str:
        """The database's URL through this proxy."""
        name = urlsplit(self.direct_url).path
        return f"postgresql://postgres@127.0.0.1:{self._port}{name}"

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(START_SECONDS)

    def end(self) -> None:
        self._call(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(START_SECONDS)

    def go_away(self) -> None:
        """Reset all connections and refuse new ones, as after a crash."""
        self._call(self._close())

    def fall_silent(self) -> None:
        """Forward nothing more, on open connections and on new ones, and close none."""
        self._is_silent = True
        for each in list(self._connections):
            each.is_silent = True

    def come_back(self) -> None:
        """Serve new connections. Those that fell silent stay so, as after a failover."""
        self._is_silent = False
        self._call(self._listen())

    def _call(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(START_SECONDS)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen())
        self._ready.set()
        self._loop.run_forever()
        self._loop.close()

    async def _listen(self) -> None:
        if self._server is None:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port)
            self._port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        if self._server:
            self._server.close()
            self._server = None
        for each in list(self._connections):
            each.reset()

    async def _end(self) -> None:
        await self._close()
        while self._connections:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)  # the transports close their sockets

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target = urlsplit(self.direct_url)
        folder = parse_qs(target.query).get("host", [""])[0]
        try:
            if folder:
                port = target.port or 5432
                there, back = await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.{port}")
            else:
                there, back = await asyncio.open_connection(target.hostname, target.port)
        except OSError:
            writer.transport.abort()
            return
        connection = _Connection((writer, back), is_silent=self._is_silent)
        self._connections.add(connection)
        try:
            await asyncio.gather(
                connection.forward(reader, back), connection.forward(there, writer)
            )
        finally:
            self._connections.discard(connection)
            connection.reset()


class _Connection:
    def __init__(self, ends: tuple[asyncio.StreamWriter, ...], is_silent: bool) -> None:
        self._ends, self.is_silent = ends, is_silent

    async def forward(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65536):
                if not self.is_silent:
                    sink.write(data)
                    await sink.drain()
        if not self.is_silent:
            self.reset()

    def reset(self) -> None:
        for end in self._ends:
            end.transport.abort()


@contextmanager
def database_proxy(address: str) -> Iterator[DatabaseProxy]:
    """Yield a proxy to a new, migrated database of the server at `address`."""
    proxy = DatabaseProxy(address)
    proxy.start()
    try:
        yield proxy
    finally:
        proxy.end()
