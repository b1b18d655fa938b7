"""Pool connections for reuse, and limit their number."""

import asyncio
import socket
import ssl
from collections import defaultdict, deque
from typing import NamedTuple, Protocol

import aiohappyeyeballs
import httpx

from chat.upstream.sockets.http_connection import HttpConnection

#: RFC 8305: how long to wait for one address before trying another in parallel.
NEXT_ADDRESS_SECONDS = 0.25

Place = asyncio.Future[HttpConnection | None]


class MayConnect(Protocol):
    """Decide whether to connect to an IP address."""

    def __call__(self, address: str, *, is_tls: bool) -> bool: ...


class AddressRefused(OSError):
    """The name leads only to addresses that must not be connected to."""


class Origin(NamedTuple):
    """The server at the other end of a connection."""

    is_tls: bool
    host: str
    port: int


class ConnectionPool:
    """At most `max_connections` connections (0: no limit) on one event loop.

    The one used last is reused first, so that surplus connections expire.
    """

    def __init__(
        self,
        max_connections: int,
        tls: ssl.SSLContext,
        keep_alive_seconds: float,
        may_connect: MayConnect | None = None,
    ) -> None:
        self._may_connect = may_connect
        self._max, self._tls, self._keep_alive_seconds = max_connections, tls, keep_alive_seconds
        self._idle: dict[Origin, list[HttpConnection]] = defaultdict(list)
        self._open: dict[HttpConnection, Origin] = {}
        self._places = 0  # taken by open connections and those being opened
        self._waiting: deque[tuple[Origin, Place]] = deque()

    async def acquire(self, origin: Origin, connect_seconds: float | None) -> HttpConnection:
        """Return an idle or new connection, which returns to the pool when its exchange ends.

        Raise `httpx.ConnectError` or `httpx.ConnectTimeout`.
        """
        place: Place = asyncio.get_running_loop().create_future()
        self._waiting.append((origin, place))
        self._serve()
        try:
            connection = await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._give_back(origin, place.result())
            raise
        return connection or await self._new(origin, connect_seconds)

    def close(self) -> None:
        for connection in list(self._open):
            connection.close()

    def _serve(self) -> None:
        """Hand out connections and free slots in the order of the requests."""
        while self._waiting:
            origin, place = self._waiting[0]
            if not place.done():
                idle = self._take_idle(origin)
                if idle is None and self._max and self._places >= self._max:
                    self._close_idle_elsewhere(origin)
                    return
                self._places += idle is None
                place.set_result(idle)
            self._waiting.popleft()

    def _take_idle(self, origin: Origin) -> HttpConnection | None:
        idle = self._idle[origin]
        while idle:
            connection = idle.pop()
            if connection.is_reusable():
                return connection
            connection.close()
        return None

    def _close_idle_elsewhere(self, origin: Origin) -> None:
        """Close an idle connection of another origin; `_lost` then serves the waiting request."""
        for other, idle in self._idle.items():
            if idle and other != origin:
                idle.pop(0).close()
                return

    def _give_back(self, origin: Origin, connection: HttpConnection | None) -> None:
        if connection is None:
            self._places -= 1
        else:
            self._idle[origin].append(connection)
        self._serve()

    async def _new(self, origin: Origin, seconds: float | None) -> HttpConnection:
        try:
            async with asyncio.timeout(seconds):
                connection = await self._connect(origin)
            if connection.is_lost:
                raise ConnectionResetError
        except BaseException as error:
            self._give_back(origin, None)
            if isinstance(error, TimeoutError):
                raise httpx.ConnectTimeout("no connection in time") from error
            if isinstance(error, OSError):
                raise httpx.ConnectError(type(error).__name__) from error
            raise
        self._open[connection] = origin
        return connection

    async def _connect(self, origin: Origin) -> HttpConnection:
        loop = asyncio.get_running_loop()
        addresses = await loop.getaddrinfo(origin.host, origin.port, type=socket.SOCK_STREAM)
        if allowed := self._may_connect:
            addresses = [
                each for each in addresses if allowed(str(each[4][0]), is_tls=origin.is_tls)
            ]
            if not addresses:
                raise AddressRefused
        sock = await aiohappyeyeballs.start_connection(
            addresses, happy_eyeballs_delay=NEXT_ADDRESS_SECONDS, loop=loop
        )
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        _, connection = await loop.create_connection(
            lambda: HttpConnection(self._free, self._lost),
            sock=sock,
            ssl=self._tls if origin.is_tls else None,
            server_hostname=origin.host if origin.is_tls else None,
        )
        return connection

    def _free(self, connection: HttpConnection) -> None:
        self._idle[self._open[connection]].append(connection)
        connection.keep_idle(self._keep_alive_seconds)
        self._serve()

    def _lost(self, connection: HttpConnection) -> None:
        """Forget a connection. Called once for each, even if opening it failed in the end."""
        origin = self._open.pop(connection, None)
        if origin is None:
            return  # `_new` has given its slot back
        if connection in self._idle[origin]:
            self._idle[origin].remove(connection)
        self._places -= 1
        self._serve()
