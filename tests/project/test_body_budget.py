"""Long bodies share a memory budget, short ones always fit, and the memory is returned."""

import asyncio

import pytest

from project.asgi.guards.body_guard import FREE_BYTES
from tests.support.web.asgi_client import Client, reads_all
from tests.support.web.guarded_bodies import body_guard

BUDGET = 4 * FREE_BYTES
LONG = b"x" * (4 * FREE_BYTES)


async def test_a_long_body_returns_its_share_afterwards() -> None:
    guard = body_guard(reads_all, total_bytes=BUDGET)
    answer = await Client([LONG]).ask(guard)
    assert answer.status == 200
    assert guard.taken_bytes == 0


async def test_a_body_beyond_the_budget_gets_503_with_retry_after() -> None:
    guard = body_guard(reads_all, total_bytes=BUDGET)
    waiting = asyncio.create_task(Client([LONG], ends=False).ask(guard))
    await asyncio.sleep(0.01)
    second = await Client([LONG[:1000], LONG, LONG]).ask(guard)
    assert second.status == 503
    assert second.error["code"] == "overloaded"
    assert int(second.headers["retry-after"]) > 0
    assert guard.taken_bytes == len(LONG) - FREE_BYTES  # of the first alone
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert guard.taken_bytes == 0


async def test_a_short_body_is_accepted_when_the_budget_is_spent() -> None:
    guard = body_guard(reads_all, total_bytes=BUDGET)
    guard.taken_bytes = BUDGET
    assert (await Client([b"x" * FREE_BYTES]).ask(guard)).status == 200
    assert guard.taken_bytes == BUDGET


async def test_a_stream_holds_no_share_of_the_budget() -> None:
    held = asyncio.Event()

    async def streams(scope: object, receive: object, send: object) -> None:
        await reads_all(scope, receive, send)
        await held.wait()

    guard = body_guard(streams, total_bytes=BUDGET)
    streaming = asyncio.create_task(Client([LONG]).ask(guard))
    await asyncio.sleep(0.01)
    assert guard.taken_bytes == 0
    held.set()
    assert (await streaming).status == 200
