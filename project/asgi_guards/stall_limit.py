"""A client that takes nothing for too long is let go: its answer is stored, it can come back.

The wait is where the server has enough bytes for it (64 KB).
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
    """Raised out of `send`, past Django, back to the guard."""


class StallLimit:
    """ASGI middleware: a write that waits longer than `seconds` ends the request."""

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
                abort(send)  # to close it would wait until the client has taken what is buffered
                raise Stalled from error

        with suppress(Stalled), closing(timeout):
            await self.app(scope, receive, timed)


def _hold_little(send: ASGISendCallable) -> None:
    """A reader that does not read keeps no more than one send in memory, instead of 64 KB."""
    found = transport(send)
    if found is not None:
        found.set_write_buffer_limits(high=HELD_BYTES)
