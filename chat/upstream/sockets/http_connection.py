"""One HTTP/1.1 connection: llhttp (httptools) on an `asyncio.Protocol`, one exchange at a time.

A body is handed over as it was received, everything available at once, with no reader or task in
between. Input is bounded: the head in bytes and lines, the bytes parsed per turn of the event loop,
and the bytes waiting to be read, beyond which reading pauses.
"""

import asyncio
import contextlib
import select
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import httptools
import httpx

MAX_HEAD_BYTES = 64 * 1024
MAX_HEADERS = 256
#: Bytes parsed at once: even a body in chunks of one byte costs only a few milliseconds.
SLICE_BYTES = 16 * 1024
#: With more than this unread, receiving pauses.
MAX_WAITING_BYTES = 128 * 1024
#: Limits for draining an unneeded rest of a body, so that the connection can be kept.
DRAIN_SECONDS, MAX_DRAINED_BYTES = 1.0, 64 * 1024

Headers = list[tuple[bytes, bytes]]
Callback = Callable[["HttpConnection"], None]


class ResponseHead(NamedTuple):
    """Status and headers of a response."""

    status: int
    headers: Headers


class HttpConnection(asyncio.Protocol):
    """A connection. `on_free` is called when it can be reused, `on_lost` when it ends."""

    def __init__(self, on_free: Callback, on_lost: Callback) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_free, self._on_lost = on_free, on_lost
        self._transport: Any = None
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None  # of an idle or draining connection
        self._backlog = bytearray()  # received but not parsed yet
        self._is_paused = False
        self.is_lost, self._lost_by = False, cast("Exception | None", None)
        self._begin("")

    def _begin(self, method: str) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._method = method  # empty: no exchange
        self._error: httpx.TransportError | None = None
        self._head: ResponseHead | None = None
        self._head_bytes = 0
        self._headers: Headers = []
        self._has_length = self._is_whole = self._may_stay = self._is_draining = False
        self._parts: list[bytes] = []
        self._waiting_bytes = 0

    # Callbacks of the transport.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if self._backlog or len(data) > SLICE_BYTES:
            if not self._backlog:
                self._loop.call_soon(self._parse_backlog)
            self._backlog += data
            self._pause_if_full()
        else:
            self._parse(data)

    def eof_received(self) -> None:
        """Let the transport close itself, which calls `connection_lost`."""

    def connection_lost(self, error: Exception | None) -> None:
        self.is_lost, self._lost_by = True, error
        self._stop_timer()
        if not self._backlog:
            self._end()
        self._on_lost(self)

    # One exchange.

    def send(self, method: str, request: bytes) -> None:
        """Begin an exchange. `request` consists of head and body."""
        self._stop_timer()
        self._begin(method)
        self._transport.write(request)

    async def head(self) -> ResponseHead:
        """Wait for the head of the response; raise `httpx.TransportError` if none comes."""
        while self._head is None:
            if self._error:
                raise self._error
            self._waiter = self._loop.create_future()
            await self._waiter
        return self._head

    async def read(self) -> bytes:
        """Wait for and return the available bytes of the body; empty at its end.

        Raise `httpx.TransportError` if the body is interrupted, once all received bytes were
        returned.
        """
        while not self._parts:
            if self._is_whole:
                return b""
            if self._error:
                raise self._error
            self._waiter = self._loop.create_future()
            await self._waiter
        data = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        self._parts.clear()
        self._waiting_bytes = 0
        if self._is_paused and not self._backlog:
            self._resume()
        return data

    def end(self) -> None:
        """End the exchange. If the body is incomplete, the connection is closed at once."""
        if self._is_draining or not self._method:
            return
        if self._is_whole and self._may_stay and self.is_open:
            self._free()
        else:
            self.close()

    def drain(self) -> None:
        """End the exchange, ignoring the rest of the body.

        The connection is kept if the rest is short and comes soon.
        """
        if self._is_whole or self._error:
            self.end()
        elif self._method:
            self._parts.clear()
            self._is_draining, self._waiting_bytes = True, 0
            self._resume()
            self._timer = self._loop.call_later(DRAIN_SECONDS, self.close)

    def close(self) -> None:
        """Close the connection and fail its exchange."""
        self._stop_timer()
        self._backlog.clear()
        self._transport.abort()
        self._fail(httpx.ReadError("closed while reading"))

    @property
    def is_open(self) -> bool:
        return not (self.is_lost or self._transport.is_closing())

    def keep_idle(self, seconds: float) -> None:
        """Close the connection unless it is reused within `seconds`."""
        self._timer = self._loop.call_later(seconds, self.close)

    def is_reusable(self) -> bool:
        """Return whether the server has neither sent nor closed; ask the socket, not the loop."""
        if not self.is_open:
            return False
        socket = select.poll()  # a selector would open an epoll object each time
        socket.register(self._transport.get_extra_info("socket").fileno(), select.POLLIN)
        return not socket.poll(0)

    # Callbacks of the parser.

    def on_message_begin(self) -> None:
        if self._is_whole:
            raise ValueError("a response that nobody asked for")

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers.append((name, value))
        if len(self._headers) > MAX_HEADERS:
            raise ValueError("too many headers")

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status < 200:  # an interim response
            if status == 101:
                raise ValueError("another protocol")
            self._headers = []
            return
        names = {name.lower() for name, _ in self._headers}
        self._has_length = bool(names & {b"content-length", b"transfer-encoding"})
        self._head, self._headers = ResponseHead(status, self._headers), []
        if self._method == "HEAD":
            self._is_whole = True

    def on_body(self, data: bytes) -> None:
        self._waiting_bytes += len(data)
        if not self._is_draining:
            self._parts.append(data)

    def on_message_complete(self) -> None:
        if self._head is not None:
            self._is_whole = True
            self._may_stay = self._method != "HEAD" and self._parser.should_keep_alive()

    # Parsing and flow control.

    def _parse(self, data: bytes) -> None:
        if self._error:
            return
        if not self._method:  # unsolicited data
            self.close()
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._break_off(httpx.RemoteProtocolError(type(error).__name__))
            return
        if self._head is None:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self._break_off(httpx.RemoteProtocolError("the head is too long"))
                return
        if self._is_draining:
            self._go_on_draining()
        else:
            self._pause_if_full()
            self._wake()

    def _parse_backlog(self) -> None:
        """Parse one slice, and schedule the next one for another turn of the loop."""
        data = bytes(self._backlog[:SLICE_BYTES])
        del self._backlog[:SLICE_BYTES]
        self._parse(data)
        if self._backlog:
            self._loop.call_soon(self._parse_backlog)
        elif self.is_lost:
            self._end()
        elif self._is_paused and self._waiting_bytes <= MAX_WAITING_BYTES:
            self._resume()

    def _go_on_draining(self) -> None:
        if self._is_whole and self._may_stay and self.is_open:
            self._stop_timer()
            self._free()
        elif self._is_whole or self._waiting_bytes > MAX_DRAINED_BYTES:
            self.close()

    def _free(self) -> None:
        self._begin("")
        self._on_free(self)

    def _end(self) -> None:
        """Handle a lost connection, which is the regular end of a body without a length."""
        error = self._lost_by
        if error is None and self._head and not self._has_length:
            self._is_whole = True
        self._fail(httpx.ReadError(type(error).__name__ if error else "the connection was closed"))

    def _break_off(self, error: httpx.TransportError) -> None:
        self._fail(error)
        self.close()

    def _fail(self, error: httpx.TransportError) -> None:
        self._error = self._error or error
        self._may_stay = False
        self._wake()

    def _wake(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter and not waiter.done():
            waiter.set_result(None)

    def _pause_if_full(self) -> None:
        if not self._is_paused and (self._backlog or self._waiting_bytes > MAX_WAITING_BYTES):
            self._is_paused = True
            with contextlib.suppress(RuntimeError):  # it is closing
                self._transport.pause_reading()

    def _resume(self) -> None:
        if self._is_paused:
            self._is_paused = False
            with contextlib.suppress(RuntimeError):
                self._transport.resume_reading()

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
