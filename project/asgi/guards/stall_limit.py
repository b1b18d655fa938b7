"""Disconnect clients that stop reading; the answer is stored, so they can resume.

The server blocks a write once its buffer (64 KB) is full.
"""

import asyncio
from contextlib import closing, suppress

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    Scope,
)

from chat.lib.timers.lazy_timer import LazyTimer
from project.asgi.guards.connections import abort, transport

HELD_BYTES = 16 * 1024


class Stalled(Exception):
    """Raised in `send`, through Django, to the guard."""


class StallLimit:
    """ASGI middleware that ends a request if a write blocks for longer than `seconds`."""

    def __init__(self, app: ASGI3Application, seconds: float) -> None:
        self.app, self.seconds = app, seconds

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        _hold_little(send)
        stall = _StallTimer(send, self.seconds)

        async def timed(event: ASGISendEvent) -> None:
            stall.begin()
            await send(event)
            stall.end()

        with suppress(Stalled), closing(stall):
            await self.app(scope, receive, timed)


class _StallTimer:
    """Abort the connection if a write takes longer than `seconds`; the write returns then.

    It has to be cheap, because a stream writes each token.
    """

    def __init__(self, send: ASGISendCallable, seconds: float) -> None:
        self._send, self._seconds = send, seconds
        self._now = asyncio.get_running_loop().time
        self._timer = LazyTimer(self._abort)
        self._has_fired = False

    def begin(self) -> None:
        self._timer.set(self._now() + self._seconds)

    def end(self) -> None:
        """Note that the write has returned; raise `Stalled` if that is because of the abort."""
        self._timer.clear()
        if self._has_fired:
            raise Stalled

    def close(self) -> None:
        self._timer.close()

    def _abort(self) -> None:
        self._has_fired = True
        abort(self._send)  # closing would wait until the client has read the buffer


def _hold_little(send: ASGISendCallable) -> None:
    """Reduce the buffer, so that a stalled reader keeps one send in memory instead of 64 KB."""
    connection = transport(send)
    if connection is not None:
        connection.set_write_buffer_limits(high=HELD_BYTES)
