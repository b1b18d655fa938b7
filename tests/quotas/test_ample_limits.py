"""Limits with much room are not read before a send, and yet decide about it."""

import time
from typing import Any

import pytest
from django.test import AsyncClient

from chat.database import threads
from chat.lib import limits
from chat.quotas import ledger
from chat.quotas.models import Limit
from chat.quotas.payer import Payer
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import ask
from tests.support.web.front_end import HELLO


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What database threads were given to do, in order."""
    seen: list[str] = []
    for pool in (threads.readers, threads.writer):

        def noting(work: Any, *given: Any, run: Any = pool.run, **named: Any) -> Any:
            seen.append(getattr(work, "__name__", ""))
            return run(work, *given, **named)

        monkeypatch.setattr(pool, "run", noting)
    return seen


async def test_they_are_read_for_the_first_send_only(
    alice_client: AsyncClient, works: list[str]
) -> None:
    await Limit.objects.acreate(scope="member", measure="requests", amount=100)
    await read_stream(await ask(alice_client, HELLO))
    assert "check_limits" in works
    works.clear()
    await read_stream(await ask(alice_client, HELLO))
    assert "check_limits" not in works
    assert "reserve_temporary" in works


async def test_only_the_first_refusal_reaches_the_writer(
    alice_client: AsyncClient, works: list[str]
) -> None:
    limit = await Limit.objects.acreate(scope="member", measure="requests", amount=100)
    await read_stream(await ask(alice_client, HELLO))
    limit.amount = 1
    await limit.asave()
    works.clear()
    assert (await ask(alice_client, HELLO)).status_code == 429
    assert "reserve_temporary" in works
    works.clear()
    assert (await ask(alice_client, HELLO)).status_code == 429
    assert (await send(alice_client, text="Hello")).status_code == 429
    assert {"reserve_temporary", "send"}.isdisjoint(works)


@pytest.mark.parametrize(("measure", "amount"), [("requests", 1), ("running", 1), ("tokens", 3000)])
async def test_little_room_is_read_each_time(
    alice_client: AsyncClient, works: list[str], measure: str, amount: int
) -> None:
    await Limit.objects.acreate(scope="member", measure=measure, amount=amount)
    await read_stream(await ask(alice_client, HELLO))
    works.clear()
    await ask(alice_client, HELLO)
    assert "check_limits" in works


def test_it_is_forgotten_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    payer, now = Payer(user_id=1), time.monotonic()
    ledger.ample_limits.start(payer, ledger.AMPLE_SECONDS)
    assert ledger.has_ample_limits(payer)
    assert not ledger.has_ample_limits(Payer(user_id=2))
    monkeypatch.setattr(limits.clock, "monotonic", lambda: now + ledger.AMPLE_SECONDS + 1)
    assert not ledger.has_ample_limits(payer)
