"""Handle ASGI requests like Django, without the overhead that a request does not need.

A request is handled in two phases. First, middleware and view determine the user and the response,
with a borrowed thread for synchronous code. Then the event loop alone sends the response, so a
stream holds no thread and no database connection.

`DJANGO_ASGI_HANDLER=1` selects Django's own handler; everything works with it, at a higher cost.
"""

import asyncio
import io
from contextlib import suppress
from typing import IO, Any

from asgiref.sync import ThreadSensitiveContext
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch, set_script_prefix

from chat.database.request_threads import RequestThread, request_threads
from chat.generations.delivery.log_response import LogResponse
from chat.middleware.routes import route_match


class TwoPhaseHandler(ASGIHandler):
    """Use a borrowed thread for synchronous code, and none for requests without it."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        thread = RequestThread(request_threads)
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.handle(scope, receive, send)
        finally:
            thread.shutdown()

    async def read_body(self, receive: Any) -> IO[bytes]:
        """Return the body; one that arrives in one piece needs no file."""
        event = await receive()
        if event["type"] == "http.request" and not event.get("more_body", False):
            return io.BytesIO(event.get("body", b""))

        first = [event]

        async def again() -> Any:
            return first.pop() if first else await receive()

        return await super().read_body(again)

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        return route_match(request) or super().resolve_request(request)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request. Sends the signals here: borrowed threads manage their connections."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            set_script_prefix(get_script_prefix(scope))
            signals.request_started.send(sender=self.__class__, scope=scope)
            response = await self._answer_unless_gone(scope, body, receive, send)
            if response is None:
                signals.request_finished.send(sender=self.__class__)
            else:
                response.close()

    async def _answer_unless_gone(
        self, scope: Any, body: IO[bytes], receive: Any, send: Any
    ) -> HttpResponseBase | None:
        """Send the response and return it; None if the client disconnected before there was one.

        A separate task sends it, as in Django's handler: the server may cancel the task that it has
        created, but streams have to end in order.
        """
        answering = asyncio.create_task(self._answer(scope, body, send))
        listening = asyncio.create_task(self.listen_for_disconnect(receive))
        await asyncio.wait({answering, listening}, return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            listening.cancel()
        else:
            answering.cancel()  # the view may clean up
        with suppress(asyncio.CancelledError, RequestAborted):
            await listening
        with suppress(asyncio.CancelledError):
            return await answering
        return None

    async def _answer(self, scope: Any, body: IO[bytes], send: Any) -> HttpResponseBase:
        response = await self._response_to(scope, body)
        if isinstance(response, LogResponse):
            response.release_request()
        with suppress(asyncio.CancelledError):  # the client has disconnected
            await self.send_response(response, send)
        return response

    async def _response_to(self, scope: Any, body: IO[bytes]) -> HttpResponseBase:
        """Return the response. Nothing here keeps the request, which a stream doesn't need."""
        request, refusal = self.create_request(scope, body)
        if request is None:
            assert refusal  # noqa: S101
            return refusal
        return await self.run_get_response(request)

    @classmethod
    def chunk_bytes(cls, data: Any) -> Any:
        """Split `data` for sending; spare a generator where nothing has to be split."""
        return ((data, True),) if len(data) <= cls.chunk_size else super().chunk_bytes(data)
