"""An httpx transport over our own connections: HTTP/1.1, TLS, keep-alive, never a proxy.

A request is never sent twice: a connection that the server has closed meanwhile is dropped before
anything is sent, and later failures are for the caller to judge. `httpx.ConnectError` and
`httpx.ConnectTimeout` prove that nothing was sent. Of the timeouts of httpx only the connect
timeout applies; the caller limits all other waits.
"""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator

import httpx

from chat.lib.trust_store import trust_store
from chat.upstream.sockets.connection_pool import ConnectionPool, MayConnect, Origin
from chat.upstream.sockets.http_connection import HttpConnection

KEEP_ALIVE_SECONDS = 60.0
PORTS = {"http": 80, "https": 443}
ILLEGAL = re.compile(rb"[\r\n\0]")


class SocketTransport(httpx.AsyncBaseTransport):
    """A transport with at most `max_connections` connections (0: no limit).

    Each response has two extensions. `read` returns the next bytes of the body, empty at the end,
    without the layers of httpx in between. Call `drain` instead of closing the response to keep a
    connection whose last bytes are still on their way.

    If `may_connect` is given, only IP addresses that it allows are connected to.
    """

    def __init__(
        self,
        max_connections: int = 0,
        tls: ssl.SSLContext | None = None,
        may_connect: MayConnect | None = None,
    ) -> None:
        self._pool = ConnectionPool(
            max_connections, tls or trust_store(), KEEP_ALIVE_SECONDS, may_connect
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        message = await _message(request)
        timeout = request.extensions.get("timeout", {})
        connection = await self._pool.acquire(_origin(request.url), timeout.get("connect"))
        connection.send(request.method, message)
        try:
            head = await connection.head()
        except BaseException:
            connection.close()
            raise
        body = _Body(connection)
        return httpx.Response(
            head.status,
            headers=head.headers,
            stream=body,
            extensions={
                "http_version": b"HTTP/1.1",
                "read": connection.read,
                "drain": body.drain,
            },
        )

    async def aclose(self) -> None:
        self._pool.close()
        await asyncio.sleep(0)  # transports report their end in the next turn of the loop


class _Body(httpx.AsyncByteStream):
    """A response body as httpx reads it."""

    def __init__(self, connection: HttpConnection) -> None:
        self._connection: HttpConnection | None = connection

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        if self._connection is None:
            raise httpx.StreamClosed
        data = await self._connection.read()
        if not data:
            raise StopAsyncIteration
        return data

    async def aclose(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            connection.end()

    def drain(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            connection.drain()


def _origin(url: httpx.URL) -> Origin:
    if url.scheme not in PORTS:
        raise httpx.UnsupportedProtocol(f"no transport for {url.scheme}")
    return Origin(
        url.scheme == "https", url.raw_host.decode("ascii"), url.port or PORTS[url.scheme]
    )


async def _message(request: httpx.Request) -> bytes:
    """Return the bytes of `request`, with its body sent as a whole."""
    body = await request.aread()
    headers = [pair for pair in request.headers.raw if pair[0].lower() != b"transfer-encoding"]
    if len(headers) < len(request.headers.raw):
        headers.append((b"Content-Length", b"%d" % len(body)))
    if any(ILLEGAL.search(part) for pair in headers for part in pair):
        raise httpx.LocalProtocolError("a header with a line break")
    lines = [b"%b: %b\r\n" % pair for pair in headers]
    line = b"%b %b HTTP/1.1\r\n" % (request.method.encode("ascii"), request.url.raw_path)
    return b"".join((line, *lines, b"\r\n", body))
