"""Limit the memory for all request bodies in this process together.

The first 64 KB of each body are free, so that long bodies never prevent short messages. A request's
share is returned when its response starts, because its body has been read by then.
"""

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    ASGISendEvent,
    HTTPScope,
    Scope,
)

from chat.errors import Overloaded
from chat.lib import metrics
from project.asgi_guards.refusals import refuse

FREE_BYTES = 64 * 1024
RETRY_SECONDS = 5.0


class BodyMemoryExhausted(Overloaded):
    """Raised in `receive`, through Django, to the guard."""


class BodyBudget:
    """ASGI middleware that answers 503 if long bodies together would exceed `max_bytes`."""

    def __init__(self, app: ASGI3Application, max_bytes: int) -> None:
        self.app, self.max_bytes = app, max_bytes
        self.taken_bytes = 0

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        if scope["type"] != "http" or not self.max_bytes or _is_free(scope):
            await self.app(scope, receive, send)
            return
        received = ours = 0

        def give_back() -> None:
            nonlocal ours
            self.taken_bytes -= ours
            ours = 0

        async def counted() -> ASGIReceiveEvent:
            nonlocal received, ours
            event = await receive()
            if event["type"] == "http.request":
                received += len(event["body"])
                more = max(0, received - FREE_BYTES) - ours
                if more > 0 and self.taken_bytes + more > self.max_bytes:
                    give_back()
                    await _discard(event, receive)
                    raise BodyMemoryExhausted(retry_after_seconds=RETRY_SECONDS)
                self.taken_bytes += max(0, more)
                ours += max(0, more)
            return event

        async def noting(event: ASGISendEvent) -> None:
            if event["type"] == "http.response.start":
                give_back()
            await send(event)

        try:
            await self.app(scope, counted, noting)
        except BodyMemoryExhausted as error:
            metrics.record_shed("body_memory")
            await refuse(scope, send, error)
        finally:
            give_back()


def _is_free(scope: HTTPScope) -> bool:
    """Return whether the body is announced as short, so that nothing is counted for it."""
    for name, value in scope["headers"]:
        if name.lower() == b"content-length":
            return len(value) < 10 and value.isdigit() and int(value) <= FREE_BYTES
    return False


async def _discard(event: ASGIReceiveEvent, receive: ASGIReceiveCallable) -> None:
    """Read and discard the rest: a browser that is still sending would not see the response."""
    while event["type"] == "http.request" and event.get("more_body", False):
        event = await receive()
