"""A response that fails in the middle closes its connection, whatever the failure and the server."""

import asyncio
from typing import Any

import pytest

from chat.generations.delivery.encoders.plain_text import AnswerIncomplete
from project.asgi.guards import broken_answers
from project.asgi.guards.broken_answers import BrokenAnswers
from project.asgi.guards.stall_limit import HELD_BYTES, StallLimit
from tests.support.web.asgi_client import scope_of

START = {"type": "http.response.start", "status": 200, "headers": []}
PIECE = {"type": "http.response.body", "body": b"Well", "more_body": True}


class Cycle:
    """A request in uvicorn, whose `send` is bound to an object with the connection."""

    def __init__(self) -> None:
        self.transport = self
        self.is_closing, self.limit_bytes = False, 0
        self.disconnected = asyncio.Event()
        self.heard_of_it = self.response_started = False

    def close(self) -> None:
        self.is_closing = True

    def set_write_buffer_limits(self, high: int) -> None:
        self.limit_bytes = high

    async def receive(self) -> Any:
        await self.disconnected.wait()
        self.heard_of_it = True
        return {"type": "http.disconnect"}

    async def send(self, event: Any) -> None:
        self.response_started |= event["type"] == "http.response.start"


def failing(error: Exception, *events: Any) -> Any:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        for event in events:
            await send(event)
        raise error

    return app


async def answered(app: Any, cycle: Cycle) -> None:
    await BrokenAnswers(app)(scope_of(), cycle.receive, cycle.send)  # type: ignore[arg-type]


async def test_the_connection_is_closed_before_the_request_ends() -> None:
    cycle = Cycle()
    answering = asyncio.create_task(answered(failing(AnswerIncomplete(), START, PIECE), cycle))
    while not cycle.is_closing:
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    assert not answering.done()
    cycle.disconnected.set()
    await answering
    assert cycle.heard_of_it


async def test_any_failure_closes_the_connection_and_is_logged() -> None:
    cycle = Cycle()
    cycle.disconnected.set()
    with pytest.raises(ZeroDivisionError):
        await answered(failing(ZeroDivisionError(), START, PIECE), cycle)
    assert cycle.is_closing


async def test_a_server_that_does_not_close_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broken_answers, "CLOSING_SECONDS", 0.01)
    await answered(failing(AnswerIncomplete(), START), Cycle())


async def test_before_the_response_starts_the_server_handles_the_failure() -> None:
    cycle = Cycle()
    with pytest.raises(ZeroDivisionError):
        await answered(failing(ZeroDivisionError()), cycle)
    assert not cycle.is_closing


async def test_inner_guards_still_find_the_connection() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send(START)

    cycle = Cycle()
    await answered(StallLimit(app, 1.0), cycle)
    assert cycle.limit_bytes == HELD_BYTES
