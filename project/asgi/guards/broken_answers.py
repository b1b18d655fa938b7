"""Abort the connection if a response fails after it has started.

Otherwise the client takes the partial response for complete. Plain text has no other way to report
an interrupted answer: it raises `AnswerIncomplete`.
"""

import asyncio
from contextlib import suppress

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    Scope,
)

from chat.generations.delivery.encoders.plain_text import AnswerIncomplete
from project.asgi.guards.connections import break_off, has_begun

#: How long the server may take to close the connection. If the application returns earlier, uvicorn
#: logs that the response is incomplete.
CLOSING_SECONDS = 5.0


class BrokenAnswers:
    """ASGI middleware that turns a partial response into a network error at the client."""

    def __init__(self, app: ASGI3Application) -> None:
        self.app = app

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            if has_begun(send):
                break_off(send)
                await _disconnect(receive)
            if not isinstance(error, AnswerIncomplete):
                raise  # logged by the server


async def _disconnect(receive: ASGIReceiveCallable) -> None:
    """Return when the connection is closed, or after `CLOSING_SECONDS`."""
    with suppress(TimeoutError):
        async with asyncio.timeout(CLOSING_SECONDS):
            while (await receive())["type"] != "http.disconnect":
                pass
