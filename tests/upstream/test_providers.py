"""Several providers: each model is asked at its own, with its token, limits and prices."""

import json
from typing import Any

import pytest
from django.test import AsyncClient

from chat.generations.models import Generation
from chat.quotas.models import UpstreamPace, UpstreamPause
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always, plain, stream_of
from tests.support.upstream.two_providers import FIRST, SECOND, TOKEN, two_providers
from tests.support.upstream.upstream_failures import envelope


def chunk_of(text: str) -> bytes:
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5}},
    ]
    return stream_of(*(b"data: " + json.dumps(each).encode() + b"\n\n" for each in chunks), DONE)


FIRSTS, SECONDS = always(chunk_of("First")), always(chunk_of("Second"))
SPENT = always(plain(429, envelope(4006, "daily free allocation")))
AWAY = always(plain(502, b"<html>", "text/html"))
BUSY = always(plain(429, b'{"error":{"message":"slow down","code":"rate_limit_exceeded"}}'))


async def answer_to(client: AsyncClient, model: str) -> str:
    return (await read_stream(await send(client, text="Hello", model=model))).text


async def test_each_model_is_asked_at_its_provider(alice_client: AsyncClient) -> None:
    async with two_providers(FIRSTS, SECONDS) as (first, second):
        assert await answer_to(alice_client, FIRST.id) == "First"
        assert await answer_to(alice_client, SECOND.id) == "Second"
    (one,), (other,) = first.requests, second.requests
    assert one.startswith(b"POST /client/v4/accounts/abc/ai/run/@cf/house/first ")
    head, _, body = other.partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1/chat/completions ")
    assert json.loads(body)["model"] == "second-large"


async def test_a_provider_gets_its_own_token_only(alice_client: AsyncClient) -> None:
    async with two_providers(FIRSTS, SECONDS) as (first, second):
        await answer_to(alice_client, FIRST.id)
        await answer_to(alice_client, SECOND.id)
    assert b"Bearer first-secret" in first.requests[0]
    assert b"first-secret" not in second.requests[0]
    assert f"Bearer {TOKEN}".encode() in second.requests[0]


async def test_no_page_shows_a_provider_s_token_or_address(alice_client: AsyncClient) -> None:
    async with two_providers(FIRSTS, SECONDS) as (_first, second):
        for path in ("/chat/", "/settings/", "/personas/new/"):
            shown = (await alice_client.get(path)).content.decode()
            assert SECOND.id in shown
            assert TOKEN not in shown
            assert second.url.removesuffix("/client/v4") not in shown


async def test_an_answer_costs_what_its_own_model_costs(alice_client: AsyncClient) -> None:
    async with two_providers(FIRSTS, SECONDS):
        response = await send(alice_client, text="Hello", model=SECOND.id)
        await read_stream(response)
    generation = await Generation.objects.aget(id=response["X-Generation-Id"])
    assert generation.model == SECOND.id
    assert generation.cost_usd == pytest.approx((10 * 1000 + 5 * 2000) / 1_000_000)


@pytest.mark.parametrize("failing", [SPENT, AWAY, BUSY], ids=["spent", "away", "busy"])
async def test_a_fallback_at_another_provider_answers_for_one_that_fails(
    failing: Any, alice_client: AsyncClient
) -> None:
    settings = {"FALLBACK_MODEL": SECOND.id, "UPSTREAM_RETRIES": 0}
    async with two_providers(failing, SECONDS, **settings) as (first, second):
        response = await send(alice_client, text="Hello", model=FIRST.id)
        stream = await read_stream(response)
    assert stream.text == "Second"
    assert len(first.requests) == len(second.requests) == 1


async def test_a_request_that_is_wrong_itself_is_not_sent_elsewhere(
    alice_client: AsyncClient,
) -> None:
    wrong = always(plain(400, envelope(5006)))
    async with two_providers(wrong, SECONDS, FALLBACK_MODEL=SECOND.id) as (_first, second):
        assert (await send(alice_client, text="Hello", model=FIRST.id)).status_code == 502
    assert second.requests == []


async def test_a_spent_allocation_pauses_its_own_provider_only(alice_client: AsyncClient) -> None:
    async with two_providers(SPENT, SECONDS) as (first, _second):
        for _ in range(2):
            refused = await send(alice_client, text="Hello", model=FIRST.id)
            assert refused.status_code == 503
        assert len(first.requests) == 1
        assert await answer_to(alice_client, SECOND.id) == "Second"
    assert (await UpstreamPause.objects.aget()).provider == ""


async def test_during_a_pause_a_fallback_at_another_provider_answers(
    alice_client: AsyncClient,
) -> None:
    async with two_providers(SPENT, SECONDS, FALLBACK_MODEL=SECOND.id):
        assert await answer_to(alice_client, FIRST.id) == "Second"
        assert await UpstreamPause.objects.acount() == 0  # nothing failed in the end
        await UpstreamPause.objects.acreate(until="2100-01-01T00:00Z")
        assert await answer_to(alice_client, FIRST.id) == "Second"


async def test_each_provider_has_its_own_pace(alice_client: AsyncClient) -> None:
    async with two_providers(FIRSTS, SECONDS, per_minute=600):
        await answer_to(alice_client, FIRST.id)
        assert not await UpstreamPace.objects.aexists()
        await answer_to(alice_client, SECOND.id)
    assert (await UpstreamPace.objects.aget()).provider == "second"
