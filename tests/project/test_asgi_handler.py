"""Our ASGI handler responds like Django's, without a thread for each request."""

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import override_settings
from django.urls import path

from chat.generations.delivery.encoders.workers_ai import WorkersAIEncoder
from chat.generations.delivery.log_response import LogResponse
from project.asgi.handler import TwoPhaseHandler
from tests.support.patience import PATIENCE_SECONDS
from tests.support.web.asgi_client import scope_of

HOST = (b"host", b"localhost")
seen: list[str] = []


def sync_view(request: HttpRequest) -> HttpResponse:
    seen.append(threading.current_thread().name)
    return HttpResponse(request.body, headers={"X-Method": str(request.method)})


async def async_view(request: HttpRequest) -> HttpResponse:
    response = HttpResponse(b"asynchronous", status=202)
    response.set_cookie("a", "1")
    response.set_cookie("b", "2")
    return response


async def broken_view(request: HttpRequest) -> HttpResponse:
    raise ValueError("broken")


async def waiting_view(request: HttpRequest) -> HttpResponse:
    seen.append("begun")
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        seen.append("cancelled")
        raise
    return HttpResponse()


async def stream_view(request: HttpRequest) -> StreamingHttpResponse:
    async def parts() -> Any:
        yield b"one"
        await sync_to_async(seen.append)("in a thread")
        yield b"x" * 200_000

    return StreamingHttpResponse(parts())


go_on = asyncio.Event()


async def slow_view(request: HttpRequest) -> StreamingHttpResponse:
    async def parts() -> Any:
        yield b"one"
        await go_on.wait()
        yield b"two"

    return StreamingHttpResponse(parts())


open_streams: list[tuple[weakref.ref[HttpRequest], asyncio.Event]] = []


async def log_view(request: HttpRequest) -> LogResponse:
    end = asyncio.Event()

    async def parts() -> Any:
        yield b"one"
        await end.wait()

    open_streams.append((weakref.ref(request), end))
    return LogResponse(parts(), {}, WorkersAIEncoder())


urlpatterns = [
    path("log", log_view),
    path("slow", slow_view),
    path("sync", sync_view),
    path("async", async_view),
    path("broken", broken_view),
    path("waiting", waiting_view),
    path("stream", stream_view),
]


@pytest.fixture(autouse=True)
def _own_pages() -> Any:
    seen.clear()
    with override_settings(
        ROOT_URLCONF=__name__, MIDDLEWARE=["django.middleware.common.CommonMiddleware"]
    ):
        yield


class Browser:
    """A client connection, which disconnects on request."""

    def __init__(self, body: bytes = b"") -> None:
        self.body: bytes | None = body
        self.gone = asyncio.Event()
        self.events: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        if self.body is not None:
            body, self.body = self.body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, event: dict[str, Any]) -> None:
        self.events.append(event)

    @property
    def answer(self) -> tuple[int, list[tuple[bytes, bytes]], bytes, bool]:
        start, *bodies = self.events
        whole = b"".join(each.get("body", b"") for each in bodies)
        return start["status"], start["headers"], whole, not bodies[-1].get("more_body", False)


@pytest.mark.parametrize("name", ["sync", "async", "stream", "missing"])
async def test_responses_match_djangos_handler(name: str) -> None:
    answers = []
    for make in (ASGIHandler, TwoPhaseHandler):
        handler: Callable[..., Any] = make()
        browser = Browser(b"hello")
        await handler(scope_of(HOST, path=f"/{name}"), browser.receive, browser.send)
        answers.append(browser.answer)
    assert answers[0] == answers[1]


async def test_an_exception_in_a_view_is_a_500() -> None:
    browser = Browser()
    with override_settings(DEBUG_PROPAGATE_EXCEPTIONS=False):
        await TwoPhaseHandler()(scope_of(HOST, path="/broken"), browser.receive, browser.send)
    assert browser.answer[0] == 500


async def test_a_disconnect_cancels_the_view() -> None:
    browser = Browser()
    handler = TwoPhaseHandler()
    task = asyncio.create_task(
        handler(scope_of(HOST, path="/waiting"), browser.receive, browser.send)
    )
    while not seen:
        await asyncio.sleep(0.001)
    browser.gone.set()
    await asyncio.wait_for(task, PATIENCE_SECONDS)
    assert seen == ["begun", "cancelled"]
    assert browser.events == []


async def test_a_cancelled_server_task_lets_the_stream_finish() -> None:
    """The stream is sent to its end."""
    browser = Browser()
    task = asyncio.create_task(
        TwoPhaseHandler()(scope_of(HOST, path="/slow"), browser.receive, browser.send)
    )
    while not browser.events:
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go_on.set()
    while len(browser.events) < 4:
        await asyncio.sleep(0.001)
    assert browser.answer[2:] == (b"onetwo", True)


async def test_an_open_stream_keeps_no_request() -> None:
    browser = Browser()
    answering = asyncio.create_task(
        TwoPhaseHandler()(scope_of(HOST, path="/log"), browser.receive, browser.send)
    )
    while not browser.events:
        await asyncio.sleep(0.001)
    gc.collect()
    request, end = open_streams.pop()
    assert request() is None
    end.set()
    await answering
    assert browser.answer[2:] == (b"one", True)


async def test_requests_share_threads() -> None:
    handler = TwoPhaseHandler()
    for _ in range(20):
        browser = Browser()
        await handler(scope_of(HOST, path="/sync"), browser.receive, browser.send)
    assert len(seen) == 20
    assert all(name.startswith("runnel-request") for name in seen)
    assert len(set(seen)) <= 3  # one is given back while the next request comes
