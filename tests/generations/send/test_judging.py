"""Judging counts against the limits of who asked, at the judge's price, and takes bounded time."""

import asyncio
from typing import Any

import pytest

from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.errors import QuotaExceeded, UpstreamError, UpstreamTimeout
from chat.generations.billing.pricing import amount_of, usage_of
from chat.generations.send import judging
from chat.generations.send.judging import JudgedText, judge_text
from chat.lib.catalogue import Model
from chat.quotas.models import Charge, Limit, Meter
from chat.upstream import available_models
from chat.upstream.judging.client import JudgedState, Judgement
from tests.support.upstream.raw_upstream import always, plain
from tests.support.upstream.upstream_failures import envelope
from tests.support.upstream.upstream_override import site_with

CLEF = "@cf/cloudflare/clef-flash"
SECONDS = 5.0

pytestmark = pytest.mark.usefixtures("stop_server_process")


def clef() -> Model:
    model = available_models.find_judge_model(CLEF)
    assert model
    return model


async def judged(alice: User, text: str, seconds: float = SECONDS) -> JudgedText:
    principal = Principal(f"user:{alice.pk}", alice.pk)
    return await judge_text(principal, clef(), JudgedState(text), seconds)


async def test_a_verdict_costs_what_the_judge_has_read(alice: User) -> None:
    said = await judged(alice, "I will kill you")
    assert said.probabilities["harmful"] > 0.9
    charge = await Charge.objects.aget()
    assert (charge.user_id, charge.model, charge.is_temporary) == (alice.pk, CLEF, True)
    assert charge.settled_at
    exact = amount_of(clef(), usage_of(charge.tokens, 0))
    assert (charge.amount, said.microdollars) == (exact, exact.microdollars)
    meter = await Meter.objects.aget(key=f"user:{alice.pk}")
    assert (meter.running, meter.requests) == (0, 0)  # it is no message


async def test_a_failed_verdict_costs_nothing(alice: User) -> None:
    async with site_with(always(plain(502, envelope(8005)))):
        with pytest.raises(UpstreamError):
            await judged(alice, "Hello")
    assert (await Charge.objects.aget()).tokens == 0
    assert (await Meter.objects.aget(key=f"user:{alice.pk}")).running == 0


async def test_a_slow_judge_is_given_up(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_given: Any) -> Judgement:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(judging, "judge", never)
    with pytest.raises(UpstreamTimeout):
        await judged(alice, "Hello", seconds=0.05)
    assert (await Charge.objects.aget()).tokens == 0


async def test_a_spent_limit_is_reached(alice: User) -> None:
    await Limit.objects.acreate(scope="member", measure="tokens", amount=10)
    with pytest.raises(QuotaExceeded):
        await judged(alice, "Hello")


async def test_nothing_hides_in_a_long_text(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "MAX_PART_CHARS", 1000)
    short, long = "I will kill you. ", "Rivers bend. " * 300
    alone = await judged(alice, "Rivers bend.")
    said = await judged(alice, long + short + long)
    assert said.probabilities["violence"] > 0.9
    assert said.microdollars > alone.microdollars
