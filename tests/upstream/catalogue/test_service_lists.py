"""Providers' lists are read, whatever is in them."""

import asyncio
import json
from collections.abc import Callable
from datetime import date
from typing import Any

import httpx
import pytest

from chat.emulator import Emulator, EmulatorTransport
from chat.errors import UpstreamError
from chat.lib.catalogue import read_catalogue
from chat.upstream.catalogue import service_changes
from chat.upstream.catalogue.differences import ChangeKind
from chat.upstream.catalogue.service_models import ServiceModel, list_models
from chat.upstream.client import Upstream
from chat.upstream.request import ProviderEndpoint
from tests.support.patience import PATIENCE_SECONDS
from tests.support.upstream.upstream_requests import TIMEOUTS

CLOUDFLARE = ProviderEndpoint("http://provider.invalid/client/v4", "a", "secret")
OPENAI = ProviderEndpoint("http://provider.invalid/v1", token="secret", is_workers_ai=False)

Respond = Callable[[httpx.Request], Any]


async def listed(
    endpoint: ProviderEndpoint, transport: httpx.AsyncBaseTransport
) -> list[ServiceModel]:
    client = Upstream(endpoint, transport, TIMEOUTS)
    try:
        return await list_models(client)
    finally:
        await client.aclose()


async def answered(endpoint: ProviderEndpoint, respond: Respond) -> list[ServiceModel]:
    def handle(request: httpx.Request) -> httpx.Response:
        found = respond(request)
        return httpx.Response(200, content=found if isinstance(found, bytes) else json.dumps(found))

    return await listed(endpoint, httpx.MockTransport(handle))


async def test_the_emulators_list_is_its_catalogue() -> None:
    emulator = Emulator(tokens_per_second=0)
    found = {each.id: each for each in await listed(CLOUDFLARE, EmulatorTransport(emulator))}
    current = {name: model for name, model in read_catalogue().items() if not model.is_gone}
    assert found.keys() == current.keys()
    kimi = found["@cf/moonshotai/kimi-k2.7-code"].facts
    assert kimi["context_window"] == 262144
    assert kimi["cached_input_usd_per_million"] == 0.19
    assert (kimi["tools"], kimi["lora"], kimi["ends_on"]) == (True, False, None)


async def test_all_pages_are_read_and_a_page_that_repeats_ends_the_walk() -> None:
    asked: list[str] = []

    def respond(request: httpx.Request) -> Any:
        page = min(int(request.url.params["page"]), 2)
        asked.append(request.url.params["page"])
        return {"result": [{"name": f"@cf/house/{page}", "task": {"name": "Text Generation"}}]}

    found = await answered(CLOUDFLARE, respond)
    assert [each.id for each in found] == ["@cf/house/1", "@cf/house/2"]
    assert asked == ["1", "2", "3"]


async def test_models_for_other_tasks_are_left_out() -> None:
    entries = [
        {"name": "@cf/house/ears", "task": {"name": "Automatic Speech Recognition"}},
        {"name": "@cf/house/brew", "task": {"name": "Text Generation"}},
    ]
    found = await answered(CLOUDFLARE, lambda _: {"result": entries})
    assert [each.id for each in found] == ["@cf/house/brew"]


@pytest.mark.django_db
def test_models_that_take_no_messages_are_named_and_not_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def models(_upstream: Upstream) -> list[ServiceModel]:
        names = "@cf/cloudflare/clef-flash", "@cf/moondream/moondream3.1", "@cf/meta/clefs"
        return [ServiceModel(name, {}) for name in names]

    monkeypatch.setattr(service_changes, "list_models", models)
    changes = service_changes.find_main_changes()
    assert changes.left_out == ["@cf/cloudflare/clef-flash", "@cf/moondream/moondream3.1"]
    new = {each.model for each in changes.changes if each.kind is ChangeKind.NEW}
    assert new == {"@cf/meta/clefs"}


async def test_the_announced_end_is_a_date() -> None:
    properties = [{"property_id": "planned_deprecation_date", "value": "2027-01-31T00:00:00Z"}]
    entry = {"name": "@cf/house/brew", "properties": properties}
    (found,) = await answered(CLOUDFLARE, lambda _: {"result": [entry]})
    assert found.facts["ends_on"] == date(2027, 1, 31)


@pytest.mark.parametrize(
    "entry",
    [
        {"name": None},
        {"name": "x" * 300},
        {"name": "a\u0000b"},
        "text",
        {"name": "@cf/house/brew", "task": {"name": "Translation"}},
    ],
)
async def test_odd_entries_are_skipped(entry: Any) -> None:
    found = await answered(CLOUDFLARE, lambda _: {"result": [entry, {"name": "@cf/house/good"}]})
    assert [each.id for each in found] == ["@cf/house/good"]


@pytest.mark.parametrize("value", ["many", -1, True, None, [], "1e400", {"a": 1}])
async def test_odd_windows_and_prices_are_not_stated(value: Any) -> None:
    price = {"unit": "per M input tokens", "price": value, "currency": "USD"}
    properties = [
        {"property_id": "context_window", "value": value},
        {"property_id": "price", "value": [price]},
    ]
    (found,) = await answered(
        CLOUDFLARE, lambda _: {"result": [{"name": "@cf/house/a", "properties": properties}]}
    )
    assert "context_window" not in found.facts
    assert "input_usd_per_million" not in found.facts


async def test_an_openai_list_may_have_windows_and_prices() -> None:
    entries = [
        {"id": "plain", "object": "model"},
        {"id": "vllm", "max_model_len": 32768},
        {"id": "router", "context_length": 8192, "pricing": {"prompt": "0.0000002"}},
    ]
    plain, vllm, router = await answered(OPENAI, lambda _: {"data": entries})
    assert plain.facts == {}
    assert vllm.facts == {"context_window": 32768}
    assert router.facts == {"context_window": 8192, "input_usd_per_million": 0.2}


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"result": []}', b'{"result": 3}', b"{}"])
async def test_no_list_and_an_empty_list_are_errors(body: bytes) -> None:
    """Otherwise every model would seem to be gone."""
    with pytest.raises(UpstreamError):
        await answered(CLOUDFLARE, lambda _: body)


async def test_a_refused_token_is_an_error() -> None:
    transport = EmulatorTransport(Emulator(tokens_per_second=0, api_token="other"))
    with pytest.raises(UpstreamError):
        await asyncio.wait_for(listed(CLOUDFLARE, transport), PATIENCE_SECONDS)
