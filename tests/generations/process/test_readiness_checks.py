"""A process that ends waits until a load balancer has noticed."""

import asyncio

import pytest

from chat.generations.process import readiness_checks
from chat.generations.process.readiness_checks import ReadinessChecks


@pytest.fixture(autouse=True)
def _endless_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness_checks, "NOTICE_SECONDS", 3600)


async def test_nothing_is_awaited_if_nobody_asks() -> None:
    await ReadinessChecks().until_noticed()


async def test_the_next_answer_after_an_earlier_one_ends_the_wait() -> None:
    checks = ReadinessChecks()
    checks.record()
    waiting = asyncio.create_task(checks.until_noticed())
    await asyncio.sleep(0)
    assert not waiting.done()
    checks.record()
    await waiting


async def test_who_stops_asking_is_not_awaited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness_checks, "NOTICE_SECONDS", 0.01)
    checks = ReadinessChecks()
    checks.record()
    await checks.until_noticed()


async def test_who_asked_long_ago_is_not_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness_checks, "RECENT_SECONDS", -1)
    checks = ReadinessChecks()
    checks.record()
    await checks.until_noticed()
