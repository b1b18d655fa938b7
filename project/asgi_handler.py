"""Handle ASGI requests like Django, without the overhead that a request does not need.

A request is handled in two phases. First, middleware and view determine the user and the response,
with a borrowed thread for synchronous code. Then the event loop alone sends the response, so a
stream holds no thread and no database connection.

`DJANGO_ASGI_HANDLER=1` selects Django's own handler; everything works with it, at a higher cost.
"""

import asyncio
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
    """Borrow threads instead of creating them, and respond in the task that the server created."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        thread = RequestThread(request_threads)
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.handle(scope, receive, send)
        finally:
            thread.shutdown()

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request. Sends the signals here: borrowed threads manage their connections."""
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
        """Send the response and return it; None if the client disconnected before there was one."""
        task = asyncio.current_task()
        assert task  # noqa: S101
        response: HttpResponseBase | None = None
        disconnect = asyncio.create_task(self.listen_for_disconnect(receive))
        cancel = _Cancel(task)
        disconnect.add_done_callback(cancel)
        try:
            response = await self.run_get_response(request)
            await self.send_response(response, send)
        except asyncio.CancelledError:
            if not cancel.is_done or task.uncancel():
                raise
        finally:
            cancel.is_over = True
            disconnect.cancel()
        return response


class _Cancel:
    """Cancel `task` on a disconnect, and remember having done so."""

    def __init__(self, task: asyncio.Task[Any]) -> None:
        self._task, self.is_done, self.is_over = task, False, False

    def __call__(self, listener: asyncio.Task[None]) -> None:
        if not (self.is_over or listener.cancelled()):
            listener.exception()  # marks the exception as retrieved
            self.is_done = True
            self._task.cancel()
