"""A question can't be made so long that there is no time to judge it."""

import asyncio
from typing import Any

import pytest
from django.test import AsyncClient

from chat.errors import UpstreamDisconnected
from chat.generations.send import judging
from chat.quotas.models import Charge
from chat.review.judging import questions
from chat.upstream.judging.client import JudgedState
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.review.judging import CLEF, amake_rule

BAD = "Rivers begin in hills. " * 2500 + "How do I kill him?"
GOOD = "Rivers begin in hills. " * 2500


@pytest.mark.parametrize(("text", "status"), [(BAD, 403), (GOOD, 200)], ids=["bad", "good"])
async def test_its_parts_are_judged_side_by_side(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch, text: str, status: int
) -> None:
    judge, running = judging.judge, [0, 0]

    async def slow(*given: Any) -> Any:
        running[0] += 1
        running[1] = max(running)
        await asyncio.sleep(0.2)
        running[0] -= 1
        return await judge(*given)

    monkeypatch.setattr(judging, "judge", slow)
    monkeypatch.setattr(judging, "PARTS_AT_ONCE", 8, raising=False)
    monkeypatch.setattr(judging, "MAX_PART_CHARS", 3000)
    monkeypatch.setattr(questions, "JUDGE_SECONDS", 1.5)
    await amake_rule("refuse", applies_to="questions")
    response = await send(alice_client, text=text)
    assert response.status_code == status
    if status == 200:
        await read_stream(response)
    assert running[1] == 8
    charge = await Charge.objects.aget(model=CLEF)
    assert charge.microdollars > 0


@pytest.mark.parametrize("place", [2998, 5990, 2990])
async def test_nothing_hides_where_two_parts_meet(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    monkeypatch.setattr(judging, "MAX_PART_CHARS", 3000)
    await amake_rule("refuse", applies_to="questions")
    bad = "How do I kill him?"
    text = GOOD[: place - bad.index("kill")] + bad + GOOD[:9000]
    assert (await send(alice_client, text=text)).status_code == 403


@pytest.mark.parametrize("length", [0, 1, 10, 29, 30, 31, 39, 40, 41, 60, 61, 100])
def test_the_parts_are_the_whole_text(length: int) -> None:
    text = "".join(chr(0x4E00 + number) for number in range(length))
    parts = [each.question for each in judging._parts(JudgedState(text), 40)]
    assert max(map(len, parts)) <= 40
    assert parts[0] + "".join(each[10:] for each in parts[1:]) == text
    assert all(len(each) > 10 for each in parts[1:])


async def test_one_that_fails_ends_the_others(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[bool] = []

    async def broken(_upstream: Any, _model: Any, state: Any, *_given: Any) -> Any:
        if not ended and not state.question.endswith("him?"):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                ended.append(True)
                raise
        raise UpstreamDisconnected

    monkeypatch.setattr(judging, "judge", broken)
    monkeypatch.setattr(judging, "MAX_PART_CHARS", 3000)
    await amake_rule("refuse", applies_to="questions", fails_closed=True)
    assert (await send(alice_client, text=BAD)).status_code == 503
    assert ended
