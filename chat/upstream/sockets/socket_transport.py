"""httpx over our own connections: HTTP/1.1, with TLS, kept alive; no proxy is ever used.

A request is never sent twice: a connection that the other side has closed meanwhile is left before
anything is sent, and whatever happens afterwards is the caller's to judge. `httpx.ConnectError` and
`httpx.ConnectTimeout` prove that nothing was sent. Of the timeouts of httpx only the one to connect
counts: all waits together are the caller's.
"""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator

import httpx

from chat.upstream.sockets.connection_pool import ConnectionPool, Origin
from chat.upstream.sockets.http_connection import HttpConnection

KEEP_ALIVE_SECONDS = 60.0
PORTS = {"http": 80, "https": 443}
ILLEGAL = re.compile(rb"[\r\n\0]")


class SocketTransport(httpx.AsyncBaseTransport):
    """At most `max_connections` at once (0: as many as are asked for).

    A response has an extension `drain`: called instead of closing it first, it keeps a connection
    whose last bytes are still on their way.
    """

    def __init__(self, max_connections: int = 0, tls: ssl.SSLContext | None = None) -> None:
        tls = tls or httpx.create_ssl_context(trust_env=False)
        self._pool = ConnectionPool(max_connections, tls, KEEP_ALIVE_SECONDS)

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
            extensions={"http_version": b"HTTP/1.1", "drain": body.drain},
        )

    async def aclose(self) -> None:
        self._pool.close()
        await asyncio.sleep(0)  # a transport tells of its end in the next turn of the loop


class _Body(httpx.AsyncByteStream):
    """A body as httpx reads it."""

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
    """The bytes of `request`, whose body is sent as one."""
    body = await request.aread()
    headers = [pair for pair in request.headers.raw if pair[0].lower() != b"transfer-encoding"]
    if len(headers) < len(request.headers.raw):
        headers.append((b"Content-Length", b"%d" % len(body)))
    if any(ILLEGAL.search(part) for pair in headers for part in pair):
        raise httpx.LocalProtocolError("a header with a line break")
    lines = [b"%b: %b\r\n" % pair for pair in headers]
    line = b"%b %b HTTP/1.1\r\n" % (request.method.encode("ascii"), request.url.raw_path)
    return b"".join((line, *lines, b"\r\n", body))
