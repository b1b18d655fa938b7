"""Clients that stop reading are disconnected; others may read for as long as an answer lasts."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from project.asgi.guards.stall_limit import HELD_BYTES, StallLimit

BODY: Any = {"type": "http.response.body", "body": b"x", "more_body": True}


class Client:
    """A connection in uvicorn, whose `send` is bound to an object with the transport."""

    def __init__(self, takes_after: list[float]) -> None:
        self.transport = self
        self.takes_after, self.got, self.high = takes_after, 0, 0
        self.aborted = asyncio.Event()

    def set_write_buffer_limits(self, high: int) -> None:
        self.high = high

    def abort(self) -> None:
        self.aborted.set()

    async def send(self, event: Any) -> None:
        """Return once the client has taken it, or its connection is gone."""
        seconds = self.takes_after.pop(0) if self.takes_after else 0
        if seconds:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self.aborted.wait()
                    return
        self.got += 1


async def sent(client: Client, count: int, seconds: float) -> bool:
    """Return whether an application that sends `count` times has finished."""
    is_done = False

    async def app(scope: Any, receive: Any, send: Any) -> None:
        nonlocal is_done
        for _ in range(count):
            await send(BODY)
        is_done = True

    await StallLimit(app, seconds)({"type": "http"}, None, client.send)  # type: ignore[arg-type, typeddict-item]
    return is_done


async def test_a_client_that_reads_nothing_is_disconnected() -> None:
    client = Client([0, 0, 3600])
    assert not await sent(client, 5, seconds=0.05)
    assert client.aborted.is_set()
    assert client.got == 2


async def test_a_client_that_reads_in_time_gets_everything() -> None:
    client = Client([0.03] * 10)
    assert await sent(client, 10, seconds=30)
    assert not client.aborted.is_set()
    assert client.high == HELD_BYTES


async def test_all_sends_share_one_timer_which_ends_with_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop, timers = asyncio.get_running_loop(), []
    call_at = loop.call_at

    def noted(*args: Any, **options: Any) -> asyncio.TimerHandle:
        timers.append(call_at(*args, **options))
        return timers[-1]

    monkeypatch.setattr(loop, "call_at", noted)
    assert await sent(Client([]), 500, seconds=3600)
    assert len(timers) == 1
    assert timers[0].cancelled()
