"""Limit the time for receiving a request body, which stops slow clients from blocking places.

Daphne reads the whole body before it calls us; there, `daphne_limits.py` measures the time.
"""

import asyncio

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    Scope,
)

from chat.errors import BodyTooSlow
from chat.lib import metrics
from project.asgi_guards.refusals import refuse


class BodyPace:
    """ASGI middleware: 408 after `idle_seconds` without a byte, or `seconds` for the whole body."""

    def __init__(self, app: ASGI3Application, idle_seconds: float, seconds: float) -> None:
        self.app, self.idle_seconds, self.seconds = app, idle_seconds, seconds

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        clock = asyncio.get_running_loop().time
        until, is_whole = clock() + self.seconds, False

        async def timed() -> ASGIReceiveEvent:
            nonlocal is_whole
            if is_whole:
                return await receive()  # from now on it waits for the disconnect, without a limit
            try:
                async with asyncio.timeout_at(min(until, clock() + self.idle_seconds)):
                    event = await receive()
            except TimeoutError:
                raise BodyTooSlow from None  # through Django, to the guard
            is_whole = event["type"] != "http.request" or not event.get("more_body", False)
            return event

        try:
            await self.app(scope, timed, send)
        except BodyTooSlow as error:
            metrics.record_shed("slow_body")
            await refuse(scope, send, error)
