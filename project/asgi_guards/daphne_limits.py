"""Limit what Daphne accepts from one connection before it calls the application.

Daphne receives a whole body of any size and duration before it calls the application, buffers all
that is written until the client reads it, starts the next request meanwhile, and answers any number
of WebSocket frames. It has no settings for these, so its two protocol classes are replaced by
stricter ones. Under uvicorn, the ASGI middleware of this package sees each piece of a body as it
arrives.
"""

import asyncio
import json
from typing import Any

import daphne.http_protocol
import daphne.ws_protocol
from django.conf import settings
from twisted.internet import reactor

from chat.errors import BadRequest, BodyTooSlow, ChatError
from project.asgi_guards.body_budget import FREE_BYTES, RETRY_SECONDS, BodyMemoryExhausted
from project.asgi_guards.socket_limit import ByteBudget

#: Bytes over the limit to discard, because a browser that is still sending would not see the
#: response.
DISCARDED_BYTES = 64 * 1024 * 1024
clock: Any = reactor


class BoundedRequest(daphne.http_protocol.WebRequest):
    """A request that limits the size of its body and the time to receive it.

    Of a body that is too long, one byte more than allowed is kept, so that BodyLimit sees it and
    refuses it.
    """

    # Twisted sets these to None before and after a request.
    channel: Any
    content: Any

    #: Twisted would parse forms of any size on the event loop, and the result is not used.
    _parsePOSTFormSubmission = False
    #: The largest body that any page accepts.
    max_bytes = 0
    #: Bytes kept by all requests of this process, minus the first 64 KB of each.
    kept_bytes = 0

    def gotLength(self, length: int | None) -> None:
        super().gotLength(length)
        self._received = self._ours = 0
        self._has_room = True
        self._is_taken, self._ends_when_taken = asyncio.Event(), False
        self._is_taken.set()
        self._idle = self._whole = self._stall = None
        if length != 0:
            self._idle = clock.callLater(settings.BODY_IDLE_SECONDS, self._give_up)
            self._whole = clock.callLater(settings.BODY_SECONDS, self._give_up)

    def handleContentChunk(self, data: bytes) -> None:
        self._received += len(data)
        if self._received > self.max_bytes + DISCARDED_BYTES:
            self.channel.loseConnection()
            return
        if self._idle:
            self._idle.reset(settings.BODY_IDLE_SECONDS)
        kept = data[: max(0, self.max_bytes + 1 - self.content.tell())]
        if self._take(len(kept)):
            super().handleContentChunk(kept)

    def process(self) -> Any:
        self._stop_clocks()
        if not self._has_room:
            self._refuse(BodyMemoryExhausted(retry_after_seconds=RETRY_SECONDS))
        elif not self._is_websocket():
            self.registerProducer(self, True)
            return super().process()
        elif self._received:
            self._refuse(BadRequest())  # Daphne would parse the body as frames
        else:
            return super().process()
        return self.finish()

    def _is_websocket(self) -> bool:
        """Return True if Daphne upgrades the request; it ignores other protocols."""
        offered: bytes = self.requestHeaders.getRawHeaders(b"Upgrade", [b""])[0]
        return offered.lower() == b"websocket"

    def handle_reply(self, message: dict[str, Any]) -> None:
        """Reply as Daphne does, but never send a body in response to HEAD."""
        if self.method == b"HEAD" and message["type"] == "http.response.body":
            message = {**message, "body": b""}
        super().handle_reply(message)

    async def drained(self) -> None:
        """Wait until the client has read most of what was written."""
        await self._is_taken.wait()

    def pauseProducing(self) -> None:
        if not self._is_taken.is_set():
            return  # called again with each write
        self._is_taken.clear()
        self._stall = clock.callLater(settings.SEND_TIMEOUT_SECONDS, self.abort)

    def resumeProducing(self) -> None:
        self._stop_clocks()
        self._is_taken.set()
        if self._ends_when_taken:
            self.finish()

    def stopProducing(self) -> None:
        """Do nothing: `connectionLost` handles a lost connection."""

    def abort(self) -> None:
        self.channel.transport.abortConnection()

    def finish(self) -> None:
        """Finish the response; delay the connection's next request until the client has read it."""
        self._ends_when_taken = not self._is_taken.is_set()
        if self._ends_when_taken:
            return
        self._release()
        if self.producer:
            self.unregisterProducer()
        super().finish()

    def connectionLost(self, reason: Any) -> None:
        self._release()
        self._is_taken.set()
        super().connectionLost(reason)

    def _take(self, count: int) -> bool:
        """Count bytes as kept; return False and discard all of the body if there is no room."""
        if not self._has_room:
            return False
        more = max(0, self.content.tell() + count - FREE_BYTES) - self._ours
        limit = settings.MAX_TOTAL_BODY_BYTES
        if limit and more > 0 and BoundedRequest.kept_bytes + more > limit:
            self._has_room = False
            self._give_back()
            self.content.truncate(0)
            return False
        self._ours += more
        BoundedRequest.kept_bytes += more
        return True

    def _give_up(self) -> None:
        """Answer 408 while the body is still arriving."""
        self._release()
        error = BodyTooSlow()
        body = _json(error)
        self.channel.transport.write(
            b"HTTP/1.1 %d Request Timeout\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\nConnection: close\r\n\r\n%b" % (error.status, len(body), body)
        )
        self.channel.loseConnection()

    def _refuse(self, error: ChatError) -> None:
        self.setResponseCode(error.status)
        self.setHeader(b"Content-Type", b"application/json")
        if error.retry_after_seconds is not None:
            self.setHeader(b"Retry-After", b"%d" % int(error.retry_after_seconds))
        self.setHeader(b"Connection", b"close")
        self.write(_json(error))

    def _release(self) -> None:
        self._stop_clocks()
        self._give_back()

    def _give_back(self) -> None:
        BoundedRequest.kept_bytes -= getattr(self, "_ours", 0)
        self._ours = 0

    def _stop_clocks(self) -> None:
        for name in ("_idle", "_whole", "_stall"):
            call = getattr(self, name, None)
            if call and call.active():
                call.cancel()
            setattr(self, name, None)


class BoundedSocket(daphne.ws_protocol.WebSocketProtocol):
    """A WebSocket that drops clients that send much: each frame takes event loop time."""

    #: None until the handshake, which is counted as a request.
    _budget: ByteBudget | None = None

    def dataReceived(self, data: bytes) -> None:
        if self._budget is None:
            self._budget = ByteBudget()
        elif not self._budget.takes(len(data)):
            self.dropConnection(abort=True)
            return
        super().dataReceived(data)


def install(max_bytes: int) -> None:
    """Install these classes in Daphne; `max_bytes` is the largest body of any page."""
    BoundedRequest.max_bytes = max_bytes
    http_protocol: Any = daphne.http_protocol
    http_protocol.WebRequest = BoundedRequest
    daphne.ws_protocol.WebSocketFactory.protocol = BoundedSocket


def _json(error: ChatError) -> bytes:
    return json.dumps({"error": error.as_dict()}).encode()
