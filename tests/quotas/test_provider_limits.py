"""The provider's own limits: its daily allocation and its requests per minute."""

import asyncio
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.test import AsyncClient, override_settings

from chat.errors import OutOfCapacity
from chat.lib.catalogue import Model
from chat.quotas.models import UpstreamPace, UpstreamPause
from chat.upstream import rate_limit
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import read_stream
from tests.support.quotas.usage_settings import HELLO, USAGE
from tests.support.upstream.raw_upstream import always, plain, stream_of
from tests.support.upstream.upstream_failures import envelope
from tests.support.upstream.upstream_override import ask, site_with

SPENT = plain(429, envelope(4006, "you have used up your daily free allocation of 10,000 neurons"))


async def test_after_the_daily_allocation_no_request_is_made_before_midnight(
    alice_client: AsyncClient,
) -> None:
    async with site_with(always(SPENT)) as raw:
        assert (await send(alice_client, text="One")).status_code == 503
        assert len(raw.requests) == 1
        for refused in (await send(alice_client, text="Two"), await ask(alice_client, HELLO)):
            assert refused.status_code == 503
            assert refused.json()["error"]["code"] == "allocation_exhausted"
            assert int(refused["Retry-After"]) <= 24 * 3600 + 1
        assert len(raw.requests) == 1
    pause = await UpstreamPause.objects.aget()
    assert (pause.until - timedelta(seconds=1)).time() == datetime.min.time()
    page = await alice_client.get("/chat/")
    assert "daily limit with the model" in page.content.decode()


@pytest.mark.parametrize("how", ["midnight passes", "staff ends it"])
async def test_after_the_pause_requests_are_made_again(how: str, alice_client: AsyncClient) -> None:
    async with site_with(always(SPENT)):
        assert (await send(alice_client, text="One")).status_code == 503
    if how == "staff ends it":
        await UpstreamPause.objects.all().adelete()
    else:
        await UpstreamPause.objects.all().aupdate(until=datetime.now(UTC))
    async with site_with(always(stream_of(USAGE, DONE))):
        assert (await read_stream(await send(alice_client, text="Two"))).text == "Aye"
    page = await alice_client.get("/chat/")
    assert "daily limit with the model" not in page.content.decode()


async def test_spent_credit_does_not_start_a_pause(alice_client: AsyncClient) -> None:
    body = b'{"error":{"code":"insufficient_quota","message":"pay"}}'
    async with site_with(always(plain(429, body))):
        refused = await send(alice_client, text="One")
    assert refused.json()["error"]["code"] == "credit_exhausted"
    assert not await UpstreamPause.objects.aexists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("per_minute", [1, 10, 300])
def test_no_minute_has_more_requests_than_allowed(per_minute: int) -> None:
    waits, due = [], []  # due: at the earliest and at the latest, as taking a slot takes time
    for _ in range(per_minute + 60):
        asked_at = time.time()
        waits.append(rate_limit.reserve_slot(per_minute, 1e9))
        due.append((asked_at + waits[-1], time.time() + waits[-1]))
    for number, (start, _) in enumerate(due):
        # the machine's clock may be set a little meanwhile
        surely_within = [latest for _, latest in due[number:] if latest - start < 59]
        assert len(surely_within) <= per_minute
    assert sum(each == 0 for each in waits) >= max(1, per_minute // 5)


@pytest.mark.django_db(transaction=True)
def test_a_slot_too_far_in_the_future_is_not_taken() -> None:
    while (wait := rate_limit.reserve_slot(10, 15)) <= 15:
        pass
    free_at = UpstreamPace.objects.get().free_at
    assert rate_limit.reserve_slot(10, 15) > 15
    assert UpstreamPace.objects.get().free_at == free_at
    assert wait > 15


@pytest.mark.django_db(transaction=True)
async def test_a_model_may_have_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MAX_WAIT_SECONDS", 0.4)
    scarce = Model(id="@cf/test/scarce", context_window=8000, requests_per_minute=2)
    await rate_limit.wait_for_slot(scarce)
    with pytest.raises(OutOfCapacity) as refused:
        await rate_limit.wait_for_slot(scarce)
    assert refused.value.retry_after_seconds
    await rate_limit.wait_for_slot(replace(scarce, id="@cf/test/other"))


async def test_requests_wait_for_their_slot_and_the_rest_is_refused(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "MAX_WAIT_SECONDS", 0.4)
    with override_settings(UPSTREAM_REQUESTS_PER_MINUTE=60, UPSTREAM_RETRIES=0):
        async with site_with(always(stream_of(USAGE, DONE))) as raw:
            began = time.monotonic()
            answers = await asyncio.gather(*(ask(alice_client, HELLO) for _ in range(60)))
            took_seconds = time.monotonic() - began
            early = [each for each in answers if each.status_code != 200]
            streams = [await read_stream(each) for each in answers if each.status_code == 200]
    taken = [stream for stream in streams if stream.text]
    late = [stream for stream in streams if not stream.text]  # told inside the stream
    assert 12 <= len(taken) <= 12 + 2 + took_seconds * 48 / 60
    assert len(early) + len(late) + len(taken) == 60
    assert len(raw.requests) == len(taken)
    assert {each.json()["error"]["code"] for each in early} <= {"upstream_rate_limited"}
    assert {stream.key("error")["code"] for stream in late} <= {"upstream_rate_limited"}
    assert all(each["Retry-After"] for each in early)
