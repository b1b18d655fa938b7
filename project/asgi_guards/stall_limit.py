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

from chat.lib.lazy_timeout import LazyTimeout
from project.asgi_guards.connections import abort, drain_of, transport

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
        timeout, drained = LazyTimeout(), drain_of(send)
        clock = asyncio.get_running_loop().time

        async def timed(event: ASGISendEvent) -> None:
            try:
                await timeout.wait(send(event), clock() + self.seconds)
                if drained:
                    await timeout.wait(drained(), clock() + self.seconds)
            except TimeoutError as error:
                abort(send)  # closing would wait until the client has read the buffer
                raise Stalled from error

        with suppress(Stalled), closing(timeout):
            await self.app(scope, receive, timed)


def _hold_little(send: ASGISendCallable) -> None:
    """Reduce the buffer, so that a stalled reader keeps one send in memory instead of 64 KB."""
    found = transport(send)
    if found is not None:
        found.set_write_buffer_limits(high=HELD_BYTES)
