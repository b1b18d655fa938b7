"""A client that takes nothing for too long is let go: its answer is stored, it can come back.

The wait is where the server stops taking bytes for it (uvicorn does at 64 KB; Daphne never does).
"""

import asyncio
from contextlib import suppress
from typing import Any

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    Scope,
)

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

        async def timed(event: ASGISendEvent) -> None:
            try:
                async with asyncio.timeout(self.seconds):
                    await send(event)
            except TimeoutError as error:
                _abort(send)
                raise Stalled from error

        with suppress(Stalled):
            await self.app(scope, receive, timed)


def _hold_little(send: ASGISendCallable) -> None:
    """A reader that does not read keeps no more than one send in memory, instead of 64 KB."""
    transport = _transport(send)
    if transport is not None:
        transport.set_write_buffer_limits(high=HELD_BYTES)


def _abort(send: ASGISendCallable) -> None:
    """Breaks the connection: to close it would wait until the client has taken what is buffered.

    uvicorn's `send` is a method of the request's cycle, which holds the transport; a server that
    keeps it elsewhere closes in its own way.
    """
    transport = _transport(send)
    if transport is not None:
        transport.abort()


def _transport(send: ASGISendCallable) -> Any:
    return getattr(getattr(send, "__self__", None), "transport", None)
