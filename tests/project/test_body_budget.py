"""Long bodies share a memory budget, short ones always fit, and the memory is returned."""

import asyncio

import pytest

from project.asgi_guards.body_budget import FREE_BYTES, BodyBudget
from tests.support.web.asgi_client import Client, reads_all

BUDGET = 4 * FREE_BYTES
LONG = b"x" * (4 * FREE_BYTES)


async def test_a_long_body_returns_its_share_afterwards() -> None:
    budget = BodyBudget(reads_all, BUDGET)
    answer = await Client([LONG]).ask(budget)
    assert answer.status == 200
    assert budget.taken_bytes == 0


async def test_a_body_beyond_the_budget_gets_503_with_retry_after() -> None:
    budget = BodyBudget(reads_all, BUDGET)
    waiting = asyncio.create_task(Client([LONG], ends=False).ask(budget))
    await asyncio.sleep(0.01)
    second = await Client([LONG[:1000], LONG, LONG]).ask(budget)
    assert second.status == 503
    assert second.error["code"] == "overloaded"
    assert int(second.headers["retry-after"]) > 0
    assert budget.taken_bytes == len(LONG) - FREE_BYTES  # of the first alone
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert budget.taken_bytes == 0


async def test_a_short_body_is_accepted_when_the_budget_is_spent() -> None:
    budget = BodyBudget(reads_all, BUDGET)
    budget.taken_bytes = BUDGET
    assert (await Client([b"x" * FREE_BYTES]).ask(budget)).status == 200
    assert budget.taken_bytes == BUDGET


async def test_a_stream_holds_no_share_of_the_budget() -> None:
    held = asyncio.Event()

    async def streams(scope: object, receive: object, send: object) -> None:
        await reads_all(scope, receive, send)
        await held.wait()

    budget = BodyBudget(streams, BUDGET)
    streaming = asyncio.create_task(Client([LONG]).ask(budget))
    await asyncio.sleep(0.01)
    assert budget.taken_bytes == 0
    held.set()
    assert (await streaming).status == 200
