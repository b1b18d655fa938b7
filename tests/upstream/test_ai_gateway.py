"""The site's requests through the emulator's AI Gateway: routes, guardrails, cache, retries."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from chat.emulator import Emulator, EmulatorTransport
from chat.errors import (
    ContentFiltered,
    CreditExhausted,
    NotConfigured,
    UpstreamBusy,
    UpstreamError,
    UpstreamReportedTimeout,
)
from chat.generations.models import Generation
from chat.lib.catalogue import Model, read_catalogue
from chat.upstream.catalogue import current as current_catalogue
from chat.upstream.client import Upstream
from chat.upstream.request import GatewayOptions, ProviderEndpoint
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_requests import TIMEOUTS, Heard, hear, question

BASE_URL = "http://emulator.invalid/client/v4"
ROUTE = Model(id="dynamic/support", context_window=32_000)
LLAMA, GEMMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast", "@cf/google/gemma-4-26b-a4b-it"
ROUTES = {"support": (LLAMA, GEMMA)}
MAIN = GatewayOptions(id="main")


@asynccontextmanager
async def gateway(
    options: GatewayOptions = MAIN, address: dict[str, Any] | None = None, **emulator: Any
) -> AsyncIterator[Upstream]:
    transport = EmulatorTransport(Emulator(tokens_per_second=0, routes=ROUTES, **emulator))
    found = {"base_url": BASE_URL, "account_id": "a", "gateway": options, **(address or {})}
    client = Upstream(ProviderEndpoint(**found), transport, TIMEOUTS)
    try:
        yield client
    finally:
        await client.aclose()


async def asked(upstream: Upstream, text: str, model: Model, **options: Any) -> Heard:
    return await hear(upstream, question(text, model), model=model, **{"retries": 0, **options})


async def test_a_route_answers_and_names_its_model() -> None:
    async with gateway() as upstream:
        heard = await asked(upstream, "Hello", ROUTE)
    assert heard.text
    (opened,) = heard.opened
    assert (opened.model, opened.routed_to) == ("dynamic/support", LLAMA)


async def test_a_routes_own_fallback_answers() -> None:
    async with gateway() as upstream:
        heard = await asked(upstream, "/busy 1 Hello", ROUTE)
    assert heard.opened[0].routed_to == GEMMA


async def test_a_route_without_a_price_costs_what_its_model_does(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.AI_GATEWAY_ID = "main"
    settings.MODELS = {ROUTE.id: ROUTE, **read_catalogue()}
    settings.EMULATOR_TRANSPORT = f"{__name__}.routed_transport"
    current_catalogue.forget()
    response = await send(alice_client, text="Hello", model=ROUTE.id)
    assert (await read_stream(response)).done
    generation = await Generation.objects.aget(id=response["X-Generation-Id"])
    assert generation.model == ROUTE.id
    price = read_catalogue()[LLAMA].output_usd_per_million
    assert price
    written = (generation.completion_tokens or 0) * price / 1_000_000
    assert generation.cost_usd is not None
    assert generation.cost_usd >= written > 0


def routed_transport() -> EmulatorTransport:
    return EmulatorTransport(Emulator(tokens_per_second=0, routes=ROUTES))


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("2016", ContentFiltered, "blocked your message"),
        ("2017", ContentFiltered, "blocked the answer"),
        ("2021", CreditExhausted, "credit with the model provider"),
        ("7013", UpstreamBusy, "busy"),
        ("2001", NotConfigured, "rejected this site's account"),
        ("2009", NotConfigured, "rejected this site's account"),
        ("5016", NotConfigured, "license of this model"),
    ],
)
async def test_what_the_gateway_refuses_is_explained(
    code: str, kind: type[UpstreamError], words: str
) -> None:
    async with gateway() as upstream:
        with pytest.raises(kind) as caught:
            await asked(upstream, f"/error {code}", ROUTE)
    assert words in caught.value.public
    assert "AiError" not in caught.value.public


async def test_what_a_guardrail_blocks_is_not_asked_again() -> None:
    assert not ContentFiltered.retryable
    async with gateway() as upstream:
        with pytest.raises(ContentFiltered):
            await asked(upstream, "/error 2016", ROUTE, retries=2)


async def test_an_unavailable_scanner_is_asked_again() -> None:
    waits = 0

    async def my_turn(_model: Model) -> None:
        nonlocal waits
        waits += 1

    async with gateway() as upstream:
        with pytest.raises(UpstreamBusy):
            await asked(upstream, "/error 7013", ROUTE, retries=2, my_turn=my_turn)
    assert waits == 3


async def test_the_gateways_token_is_sent() -> None:
    token = "open sesame"
    async with gateway(replace(MAIN, token=token), gateway_token=token) as upstream:
        assert (await asked(upstream, "Hello", ROUTE)).text
    async with gateway(gateway_token=token) as upstream:
        with pytest.raises(NotConfigured):
            await asked(upstream, "Hello", ROUTE)


async def test_the_gateway_tries_again_if_it_is_told_to() -> None:
    busy = replace(read_catalogue()[LLAMA], id=LLAMA)
    options = replace(MAIN, attempts=3, retry_milliseconds=1)
    async with gateway(options) as upstream:
        assert (await asked(upstream, "/busy 2 Hello", busy)).text


async def test_the_gateways_time_limit_ends_a_silent_answer() -> None:
    silent = replace(read_catalogue()[LLAMA], id=LLAMA)
    async with gateway(replace(MAIN, timeout_milliseconds=20)) as upstream:
        with pytest.raises(UpstreamReportedTimeout):
            await asked(upstream, "/stall 0", silent)


async def test_documents_are_cached_and_streams_are_not() -> None:
    model = read_catalogue()[LLAMA]
    wanted = {"response_format": {"type": "json_object"}}
    async with gateway(replace(MAIN, cache_seconds=60)) as upstream:
        found = []
        for changes in (wanted, wanted, {}, {}):
            asked_for = question("Hello", model, **changes)
            (opened,) = (await hear(upstream, asked_for, model=model)).opened
            found.append(opened.gateway_cache_status)
    assert found == ["MISS", "HIT", "MISS", "MISS"]


async def test_the_gateways_own_address_is_an_openai_provider() -> None:
    compat = {
        "base_url": "http://emulator.invalid/v1/account/main/compat",
        "is_workers_ai": False,
    }
    model = Model(id="house/gemma", id_there=f"workers-ai/{GEMMA}", context_window=32_000)
    async with gateway(address=compat) as upstream:
        heard = await asked(upstream, "Hello", model)
    assert heard.text
    assert heard.opened[0].model == "house/gemma"
