"""A response that fails in the middle ends its connection, whatever failed and whoever serves it."""

import asyncio
from typing import Any

import pytest

from chat.generations.delivery.encoders.plain_text import AnswerIncomplete
from project.asgi_guards import broken_answers
from project.asgi_guards.broken_answers import BrokenAnswers
from project.asgi_guards.stall_limit import HELD_BYTES, StallLimit
from tests.support.web.asgi_client import scope_of

START = {"type": "http.response.start", "status": 200, "headers": []}
PIECE = {"type": "http.response.body", "body": b"Well", "more_body": True}


class Cycle:
    """A request as uvicorn has it: `send` is a method of what knows the connection."""

    def __init__(self) -> None:
        self.transport = self
        self.is_closing, self.limit_bytes = False, 0
        self.disconnected = asyncio.Event()
        self.heard_of_it = False

    def close(self) -> None:
        self.is_closing = True

    def set_write_buffer_limits(self, high: int) -> None:
        self.limit_bytes = high

    async def receive(self) -> Any:
        await self.disconnected.wait()
        self.heard_of_it = True
        return {"type": "http.disconnect"}

    async def send(self, event: Any) -> None:
        pass


def failing(error: Exception, *events: Any) -> Any:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        for event in events:
            await send(event)
        raise error

    return app


async def answered(app: Any, cycle: Cycle) -> None:
    await BrokenAnswers(app)(scope_of(), cycle.receive, cycle.send)  # type: ignore[arg-type]


async def test_the_connection_is_closed_and_only_then_the_request_ends() -> None:
    cycle = Cycle()
    answering = asyncio.create_task(answered(failing(AnswerIncomplete(), START, PIECE), cycle))
    while not cycle.is_closing:
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    assert not answering.done()
    cycle.disconnected.set()
    await answering
    assert cycle.heard_of_it


async def test_any_other_failure_closes_it_too_and_goes_on_to_the_log() -> None:
    cycle = Cycle()
    cycle.disconnected.set()
    with pytest.raises(ZeroDivisionError):
        await answered(failing(ZeroDivisionError(), START, PIECE), cycle)
    assert cycle.is_closing


async def test_a_server_that_closes_nothing_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broken_answers, "CLOSING_SECONDS", 0.01)
    await answered(failing(AnswerIncomplete(), START), Cycle())


async def test_before_the_response_begins_the_server_says_what_it_says() -> None:
    cycle = Cycle()
    with pytest.raises(ZeroDivisionError):
        await answered(failing(ZeroDivisionError()), cycle)
    assert not cycle.is_closing


async def test_guards_behind_it_find_the_connection_all_the_same() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send(START)

    cycle = Cycle()
    await answered(StallLimit(app, 1.0), cycle)
    assert cycle.limit_bytes == HELD_BYTES
