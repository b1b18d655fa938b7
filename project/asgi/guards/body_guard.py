"""Limit request bodies as they arrive: their length, time, form fields and memory.

Django reads the whole body before it does anything else, so all limits are checked in one
`receive`. Its exceptions pass through Django to the guard, which answers.
"""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import cast

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    ASGISendEvent,
    HTTPScope,
    Scope,
)

from chat.errors import BodyTooSlow, ChatError, Overloaded
from chat.lib import metrics
from chat.lib.scope_keys import RECEIVED_BYTES
from project.asgi.guards import long_bodies
from project.asgi.guards.form_counter import counter_for
from project.asgi.guards.refusals import refuse

#: A refused body is still read up to this many times the limit: a browser that is sending when the
#: connection closes shows a network error instead of the response.
PATIENCE = 16
#: These bytes of each body need no share of the common memory, so that long bodies never prevent
#: short messages.
FREE_BYTES = 64 * 1024
RETRY_SECONDS = 5.0
#: Of a Content-Length that is read.
MAX_DIGITS = 20


class BodyMemoryExhausted(Overloaded):
    """503: all bodies together have used up the memory for them."""


class BodyTooLong(Exception):
    """Raised in `receive`: the answer depends on the address and on who asks."""


class BodyRefused(Exception):
    """Raised in `receive`: the answer is `error`, and `reason` is for the metric."""

    def __init__(self, error: ChatError, reason: str) -> None:
        super().__init__(reason)
        self.error, self.reason = error, reason


@dataclass(frozen=True)
class BodyLimits:
    """What a body may take.

    `total_bytes` is for all bodies in this process together (0: no limit), `idle_seconds` for a
    pause, `seconds` for the whole body. `uploads` maps paths to larger limits than `max_bytes`.
    Above those of upload pages, which are in `pages`, browsers are redirected to the page, which
    explains.
    """

    max_bytes: int
    total_bytes: int
    idle_seconds: float
    seconds: float
    uploads: Mapping[str, int]
    pages: Collection[str]


class BodyGuard:
    """ASGI middleware that answers 413, 408, 503 or 400 to a body that exceeds a limit."""

    def __init__(self, app: ASGI3Application, limits: BodyLimits) -> None:
        self.app, self.limits = app, limits
        self.taken_bytes = 0

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = _Body(self, scope, receive)

        async def noting(event: ASGISendEvent) -> None:
            if event["type"] == "http.response.start":
                body.give_back()  # it has been read
            await send(event)

        try:
            await body.check_announced_length()
            counted = cast("HTTPScope", {**scope, RECEIVED_BYTES: body.received_bytes})
            await self.app(counted, body.receive, send if body.is_free else noting)
        except BodyTooLong:
            await self._answer_too_long(scope, receive, send, body.max_bytes)
        except BodyRefused as refused:
            metrics.record_shed(refused.reason)
            await refuse(scope, send, refused.error)
        finally:
            body.give_back()

    async def _answer_too_long(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable, max_bytes: int
    ) -> None:
        if scope["path"] in self.limits.pages:
            await long_bodies.redirect_to_page(scope, send)
        elif long_bodies.is_form_of_browser(scope):
            await long_bodies.show_error_page(self.app, scope, receive, send)
        else:
            await long_bodies.refuse(scope, max_bytes, send)


class _Body:
    """The body of one request: what has arrived, and its share of the common memory.

    `is_free` if it is announced as so short that it needs no share.
    """

    def __init__(self, guard: BodyGuard, scope: HTTPScope, receive: ASGIReceiveCallable) -> None:
        self._guard, self._limits, self._receive = guard, guard.limits, receive
        self.max_bytes = self._limits.uploads.get(scope["path"], self._limits.max_bytes)
        self._announced = _announced_bytes(scope)
        self.is_free = not self._limits.total_bytes or 0 <= self._announced <= FREE_BYTES
        self._form = counter_for(scope)
        self._received = self._share = 0
        self._is_whole = False
        self._clock = asyncio.get_running_loop().time
        self._until = self._clock() + self._limits.seconds

    async def check_announced_length(self) -> None:
        """Raise `BodyTooLong` if `Content-Length` exceeds the limit."""
        if self._announced > self.max_bytes:
            await self._discard()
            raise BodyTooLong

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next event. Raise `BodyTooLong` or `BodyRefused` if a limit is exceeded."""
        if self._is_whole:
            return await self._receive()  # it waits for the disconnect, without a limit
        event = await self._next_in_time()
        if event["type"] == "http.request":
            if self._received > self.max_bytes:
                await self._discard()
                raise BodyTooLong
            if not self.is_free:
                await self._take_share()
            if self._form and (error := self._form.add(event["body"])):
                raise BodyRefused(error, "form_size")
        return event

    def received_bytes(self) -> int:
        return self._received

    def give_back(self) -> None:
        """Return the share of the common memory."""
        self._guard.taken_bytes -= self._share
        self._share = 0

    async def _next_in_time(self) -> ASGIReceiveEvent:
        until = min(self._until, self._clock() + self._limits.idle_seconds)
        try:
            async with asyncio.timeout_at(until):
                event = await self._receive()
        except TimeoutError:
            raise BodyRefused(BodyTooSlow(), "slow_body") from None
        self._is_whole = event["type"] != "http.request" or not event.get("more_body", False)
        if event["type"] == "http.request":
            self._received += len(event["body"])
        return event

    async def _take_share(self) -> None:
        share = max(0, self._received - FREE_BYTES)
        taken = self._guard.taken_bytes - self._share + share
        if share > self._share and taken > self._limits.total_bytes:
            self.give_back()
            await self._discard()
            if self._received > self.max_bytes:
                raise BodyTooLong
            error = BodyMemoryExhausted(retry_after_seconds=RETRY_SECONDS)
            raise BodyRefused(error, "body_memory")
        self._guard.taken_bytes, self._share = taken, share

    async def _discard(self) -> None:
        """Read the rest: a browser that is still sending would not see the response."""
        while not self._is_whole and self._received <= self._limits.max_bytes * PATIENCE:
            await self._next_in_time()


def _announced_bytes(scope: HTTPScope) -> int:
    """Return Content-Length, or -1 if it is absent or odd (the bytes are counted anyway)."""
    values = [value for name, value in scope["headers"] if name.lower() == b"content-length"]
    is_number = len(values) == 1 and values[0].isdigit() and len(values[0]) < MAX_DIGITS
    return int(values[0]) if is_number else -1
