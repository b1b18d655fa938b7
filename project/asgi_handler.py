"""Django's ASGI handler without what a request does not need.

A request is handled in two phases. In the first, middleware and view say who asks and what the
answer is, with a borrowed thread where they call synchronous code. In the second the answer is
sent, by the event loop alone: a stream holds no thread and no database connection.

`DJANGO_ASGI_HANDLER=1` uses Django's own instead; everything works with it, at a higher cost.
"""

import asyncio
from contextlib import suppress
from typing import Any

from asgiref.sync import ThreadSensitiveContext
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from chat.database.request_threads import RequestThread, request_threads


class TwoPhaseHandler(ASGIHandler):
    """Borrows threads instead of making them, and hops into none for what needs none."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        thread = RequestThread(request_threads)
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.handle(scope, receive, send)
        finally:
            thread.shutdown()

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """As Django's. Signals are sent here: a borrowed thread sees to its own connections."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            set_script_prefix(get_script_prefix(scope))
            signals.request_started.send(sender=self.__class__, scope=scope)
            request, refusal = self.create_request(scope, body)
            if request is None:
                assert refusal  # noqa: S101
                await self.send_response(refusal, send)
                refusal.close()
                return
            response = await self._answer_unless_gone(request, receive, send)
            if response is None:
                signals.request_finished.send(sender=self.__class__)
            else:
                response.close()

    async def _answer_unless_gone(
        self, request: HttpRequest, receive: Any, send: Any
    ) -> HttpResponseBase | None:
        """Send the response and return it; None where the client went before there was one.

        It is sent by a task of its own, as Django does it: at its end Daphne cancels the one that
        it has made, and the answers are to end in order nevertheless.
        """
        answering = asyncio.create_task(self._answer(request, send))
        listening = asyncio.create_task(self.listen_for_disconnect(receive))
        await asyncio.wait({answering, listening}, return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            listening.cancel()
        else:
            answering.cancel()  # views may see to it
        with suppress(asyncio.CancelledError, RequestAborted):
            await listening
        with suppress(asyncio.CancelledError):
            return await answering
        return None

    async def _answer(self, request: HttpRequest, send: Any) -> HttpResponseBase:
        response = await self.run_get_response(request)
        with suppress(asyncio.CancelledError):  # the client has gone meanwhile
            await self.send_response(response, send)
        return response
