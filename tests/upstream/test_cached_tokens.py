"""Cached prompt tokens: counted, priced, stored and shown."""

import json
from typing import Any

import pytest
from django.test import AsyncClient

from chat.generations.billing.pricing import amount_of, cost_usd
from chat.generations.delivery.encoders.openai import usage as openai_usage
from chat.lib.catalogue import Model, read_catalogue
from chat.quotas.models import Charge
from chat.upstream.decoding.usage import UsageCount
from chat.upstream.events import Usage
from tests.support.generations.follow import follow
from tests.support.generations.send import send, stored
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import ask, site_with

QWEN = "@cf/qwen/qwen3.8-27b"
PRICED = read_catalogue()[QWEN]
WITHOUT_PRICE = Model(
    id="x", context_window=1, input_usd_per_million=0.5, output_usd_per_million=2.0
)
REPORTED = {
    "prompt_tokens": 1_000,
    "completion_tokens": 10,
    "total_tokens": 1_010,
    "prompt_tokens_details": {"cached_tokens": 800},
}
CACHED = Usage(1_000, 10, 1_010, cached_tokens=800)


def counted(*chunks: dict[str, Any], tail: dict[str, Any] | None = None) -> Usage | None:
    count = UsageCount()
    for each in chunks:
        count.add(each)
    if tail:
        count.add(tail, is_tail=True)
    return count.total()


def test_cached_tokens_are_counted_from_increments_running_totals_and_totals() -> None:
    first = {"prompt_tokens": 9, "neurons": 1.0, "prompt_tokens_details": {"cached_tokens": 6}}
    later = {"completion_tokens": 1, "neurons": 0.5, "prompt_tokens_details": {"cached_tokens": 0}}
    incremental = counted(first, later, later)
    assert incremental == Usage(9, 2, 11, 2.0, 6)
    assert counted(REPORTED, REPORTED | {"total_tokens": 1_011}).cached_tokens == 800  # type: ignore[union-attr]
    assert counted(later, tail=REPORTED) == CACHED


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"input_tokens_details": {"cached_tokens": 5}}, 5),
        ({"prompt_cache_hit_tokens": 5}, 5),
        ({"prompt_tokens_details": {"cached_tokens": 10**12}}, 0),
        ({"prompt_tokens_details": {"cached_tokens": 50}}, 9),  # more than were read
        ({"prompt_tokens_details": {"cached_tokens": "5"}}, 5),
        ({"prompt_tokens_details": None}, None),
        ({"prompt_tokens_details": [5]}, None),
        ({}, None),
    ],
)
def test_other_formats_of_cached_tokens_are_read(
    more: dict[str, Any], expected: int | None
) -> None:
    found = counted({"prompt_tokens": 9, **more})
    assert found is not None
    assert found.cached_tokens == expected


def test_cached_tokens_cost_the_catalogues_price() -> None:
    assert cost_usd(PRICED, CACHED) == pytest.approx((200 * 0.45 + 800 * 0.05 + 10 * 3.2) / 1e6)
    amount = amount_of(PRICED, CACHED)
    assert amount.tokens == 1_010
    assert amount.millineurons == pytest.approx(
        (200 * 40909 + 800 * 4545 + 10 * 290909) / 1000, abs=1
    )


def test_without_their_own_price_cached_tokens_cost_as_much_as_others() -> None:
    assert cost_usd(WITHOUT_PRICE, CACHED) == cost_usd(WITHOUT_PRICE, Usage(1_000, 10, 1_010))


@pytest.mark.parametrize("model", [QWEN, "@cf/meta/llama-3.3-70b-instruct-fp8-fast"])
async def test_cached_tokens_are_sent_stored_and_replayed(
    model: str, alice_client: AsyncClient
) -> None:
    response = await send(alice_client, text="/cached 3 Why do rivers bend?", model=model)
    stream = await read_stream(response)
    assert stream.key("usage")["cached_tokens"] == 3
    generation, _answer = await stored(response)
    assert generation.cached_tokens == 3
    place = f"/chat/{response['X-Conversation-Id']}"
    page = await alice_client.get(f"{place}/", headers={"Accept": "application/json"})
    assert page.json()["turns"][-1]["usage"]["cached_tokens"] == 3
    again = await read_stream(await follow(alice_client, response["X-Generation-Id"], after=1))
    assert again.payloads[-1] == stream.payloads[-1]


async def test_limits_count_the_lower_price(alice_client: AsyncClient) -> None:
    tail = json.dumps({"response": "Aye", "usage": REPORTED}).encode()
    answer = always(stream_of(b"data: " + tail + b"\n\n", b"data: [DONE]\n\n"))
    async with site_with(answer):
        stream = await read_stream(await ask(alice_client, {"prompt": "Hello", "model": QWEN}))
    charge = await Charge.objects.aget()
    assert charge.amount == amount_of(PRICED, CACHED)
    assert stream.key("usage")["cost_usd"] == pytest.approx(cost_usd(PRICED, CACHED))


def test_openai_clients_find_cached_tokens_where_openai_puts_them() -> None:
    last = {"usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10}}
    assert openai_usage(last) == last["usage"]
    last["usage"]["cached_tokens"] = 4
    assert openai_usage(last) == {
        "prompt_tokens": 9,
        "completion_tokens": 1,
        "total_tokens": 10,
        "prompt_tokens_details": {"cached_tokens": 4},
    }
