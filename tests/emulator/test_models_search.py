from datetime import date
from typing import Any

import pytest

from chat.emulator import Emulator
from chat.lib.catalogue import Model, read_catalogue
from tests.emulator.exchange import ACCOUNT, GEMMA, LLAMA, RETIRED, get

ACTIVE = [m.id for m in read_catalogue().values() if not m.is_gone]


async def search(emulator: Emulator, query: str = "") -> Any:
    return (await get(emulator, f"{ACCOUNT}/ai/models/search?{query}")).json


async def names(emulator: Emulator, query: str) -> list[str]:
    return [entry["name"] for entry in (await search(emulator, query))["result"]]


async def test_all_pages_together_are_the_whole_list(emulator: Emulator) -> None:
    found: list[str] = []
    page = 1
    while part := await names(emulator, f"per_page=5&page={page}"):
        found += part
        page += 1
    assert found == ACTIVE


async def test_a_page_past_the_end_is_empty(emulator: Emulator) -> None:
    document = await search(emulator, "page=99")
    assert document["success"]
    assert document["result"] == []
    assert document["result_info"]["count"] == 0


async def test_a_page_reports_its_position(emulator: Emulator) -> None:
    assert (await search(emulator, "per_page=5&page=2"))["result_info"] == {
        "page": 2,
        "per_page": 5,
        "count": 5,
        "total_count": len(ACTIVE),
        "total_pages": -(-len(ACTIVE) // 5),
    }


@pytest.mark.parametrize("query", ["page=0", "page=x", "per_page=0", "per_page=-1"])
async def test_invalid_page_numbers_are_tolerated(emulator: Emulator, query: str) -> None:
    assert await names(emulator, query)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("search=gemma-4", [GEMMA]),
        ("search=GEMMA+4", [GEMMA]),
        ("search=nothing-like-it", []),
        ("author=google&search=26b", [GEMMA]),
        ("task=Text+Generation&search=gemma-4", [GEMMA]),
        ("task=Text+Embeddings", []),
    ],
)
async def test_the_list_can_be_filtered(
    emulator: Emulator, query: str, expected: list[str]
) -> None:
    assert await names(emulator, query) == expected


async def test_retired_models_are_listed_only_on_request(emulator: Emulator) -> None:
    assert RETIRED not in await names(emulator, "per_page=100")
    assert RETIRED in await names(emulator, "per_page=100&include_deprecated=true")


async def test_an_entry_carries_window_prices_and_abilities(emulator: Emulator) -> None:
    (entry,) = (await search(emulator, "search=gemma-4"))["result"]
    properties = {item["property_id"]: item["value"] for item in entry["properties"]}
    assert properties["context_window"] == "256000"  # although a smaller one is enforced
    assert [price["price"] for price in properties["price"]] == [0.1, 0.3]
    assert {"function_calling", "vision", "reasoning"} <= set(properties)
    assert entry["task"]["name"] == "Text Generation"


async def test_an_entry_names_cached_prices_loras_and_the_announced_end() -> None:
    model = Model(
        id="@cf/house/brew",
        context_window=1,
        cached_input_usd_per_million=0.05,
        lora=True,
        ends_on=date(2027, 1, 31),
    )
    (entry,) = (await search(Emulator(catalogue={model.id: model})))["result"]
    properties = {item["property_id"]: item["value"] for item in entry["properties"]}
    assert properties["price"] == [
        {"unit": "per M cached input tokens", "price": 0.05, "currency": "USD"}
    ]
    assert properties["lora"] == "true"
    assert properties["planned_deprecation_date"] == "2027-01-31"


async def test_openais_list_is_flat(emulator: Emulator) -> None:
    document = (await get(emulator, f"{ACCOUNT}/ai/v1/models")).json
    assert document["object"] == "list"
    assert [model["id"] for model in document["data"]] == ACTIVE
    assert {"object", "created", "owned_by"} <= set(document["data"][0])


async def test_a_model_without_price_or_author_is_listed_too() -> None:
    emulator = Emulator(catalogue={"brew": Model(id="brew", context_window=1)})
    (entry,) = (await search(emulator))["result"]
    assert [item["property_id"] for item in entry["properties"]] == ["context_window"]
    assert LLAMA not in entry["name"]
