from datetime import UTC, datetime

import pytest

from chat.emulator import Emulator
from chat.emulator.account import allowance
from tests.emulator.exchange import LLAMA, ask, begin, first, question, send


@pytest.fixture
def frugal() -> Emulator:
    return Emulator(tokens_per_second=0, neurons_per_day=1)


async def test_an_account_over_its_daily_neurons_is_refused(frugal: Emulator) -> None:
    assert (await ask(frugal, "Hello")).status == 200
    reply = await ask(frugal, "Hello")
    assert (reply.status, reply.code) == (429, 4006)
    assert "daily free allocation of 10,000 neurons" in reply.message


async def test_other_accounts_have_their_own(frugal: Emulator) -> None:
    await ask(frugal, "Hello")
    path = f"/client/v4/accounts/other/ai/run/{LLAMA}"
    assert (await send(frugal, question("Hello"), path)).status == 200


async def test_tokens_generated_before_a_disconnect_count(frugal: Emulator) -> None:
    answer = await begin(frugal, question("/long"))
    await first(answer.body, 10)
    await answer.body.aclose()
    assert (await ask(frugal, "Hello")).code == 4006


async def test_the_day_ends_at_midnight_utc(
    frugal: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowance, "_today", lambda: datetime(2026, 11, 20, tzinfo=UTC).date())
    await ask(frugal, "Hello")
    assert (await ask(frugal, "Hello")).code == 4006
    monkeypatch.setattr(allowance, "_today", lambda: datetime(2026, 11, 21, tzinfo=UTC).date())
    assert (await ask(frugal, "Hello")).status == 200


async def test_without_a_limit_nobody_is_refused(emulator: Emulator) -> None:
    for _ in range(3):
        assert (await ask(emulator, "/long 3000")).status == 200
