"""A process asks for all kinds at once what is due, and none of them holds up another."""

import asyncio
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from chat.database import threads
from chat.outbox import claim, deliver
from chat.outbox.deliver import DeliveryKind
from chat.outbox.models import Delivery
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.usefixtures("stop_server_process")


def kind(name: str, send: object) -> DeliveryKind:
    return DeliveryKind(name, send, timedelta(minutes=1), 4)  # type: ignore[arg-type]


async def _nothing(_delivery: Delivery) -> None:
    pass


@pytest.mark.parametrize("count", [1, 5])
async def test_of_any_number_of_kinds_one_statement_tells_what_is_due(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    run = threads.readers.run

    async def counted(function: object, *given: object) -> object:
        calls.append(function.__name__)  # type: ignore[attr-defined]
        return await run(function, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(threads.readers, "run", counted)
    kinds = [kind(f"letter {number}", _nothing) for number in range(count)]
    await deliver.job(kinds)()
    assert calls == ["kinds_due"]
    await sync_to_async(kinds[-1].add)()
    await sync_to_async(kind("of a newer version", _nothing).add)()
    calls.clear()
    await deliver.job(kinds)()
    assert calls == ["kinds_due", "due"]
    assert [each.kind async for each in Delivery.objects.all()] == ["of a newer version"]


async def test_what_is_claimed_or_later_is_not_due() -> None:
    letter = kind("letter", _nothing)
    delivery = await sync_to_async(letter.add)()
    assert await sync_to_async(claim.kinds_due)() == {"letter"}
    assert await sync_to_async(claim.claim)(delivery, letter.lease)
    assert await sync_to_async(claim.kinds_due)() == set()


async def test_a_slow_kind_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliver, "AGAIN_SECONDS", 0.01)
    go_on, sent = asyncio.Event(), asyncio.Event()

    async def slow(_delivery: Delivery) -> None:
        await go_on.wait()

    async def quick(_delivery: Delivery) -> None:
        sent.set()

    kinds = [kind("slow", slow), kind("quick", quick)]
    await sync_to_async(kinds[0].add)()
    running = asyncio.create_task(deliver.job(kinds)())
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await sync_to_async(claim.kinds_due)():
            await asyncio.sleep(0.01)
        await sync_to_async(kinds[1].add)()  # while the other waits for somebody's server
        await sent.wait()
        go_on.set()
        await running
    assert not await Delivery.objects.aexists()


async def test_what_is_being_delivered_survives_an_outage_of_the_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deliver, "AGAIN_SECONDS", 0.01)
    begun, failed, go_on = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow(_delivery: Delivery) -> None:
        begun.set()
        await go_on.wait()

    def gone() -> set[str]:
        loop.call_soon_threadsafe(failed.set)
        raise OperationalError

    loop, letter = asyncio.get_running_loop(), kind("letter", slow)
    await sync_to_async(letter.add)()
    running = asyncio.create_task(deliver.job([letter])())
    async with asyncio.timeout(PATIENCE_SECONDS):
        await begun.wait()
        monkeypatch.setattr(claim, "kinds_due", gone)
        await failed.wait()
        go_on.set()
        await running
    assert not await Delivery.objects.aexists()
    with pytest.raises(OperationalError):  # with nothing to go on with, the job reports it
        await deliver.job([letter])()


async def test_what_is_cancelled_leaves_no_task() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def slow(_delivery: Delivery) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    of_kind = kind("slow", slow)
    await sync_to_async(of_kind.add)()
    running = asyncio.create_task(deliver.job([of_kind])())
    async with asyncio.timeout(PATIENCE_SECONDS):
        await begun.wait()
        running.cancel()
        await asyncio.wait([running])
    assert ended.is_set()


async def test_a_kind_that_breaks_stops_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    due = claim.due

    def broken(name: str, at_once: int) -> list[Delivery]:
        return [] if name == "broken" and 1 // 0 else due(name, at_once)

    monkeypatch.setattr(claim, "due", broken)
    kinds = [kind("broken", _nothing), kind("letter", _nothing)]
    for each in kinds:
        await sync_to_async(each.add)()
    await deliver.job(kinds)()
    assert [each.kind async for each in Delivery.objects.all()] == ["broken"]
    assert "task broken failed" in caplog.text
