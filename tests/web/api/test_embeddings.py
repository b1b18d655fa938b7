"""Embeddings: a vector for each text, as numbers or base64, counted like answers."""

import base64
import json
import struct
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from pytest_django import Settings

from chat.accounts.models import User
from chat.generations import model_permissions
from chat.lib.catalogue import SHIPPED_EMBEDDINGS, read_catalogue
from chat.quotas.models import Charge, Meter
from tests.support.api.api_client import MODEL, ApiClient, new_api_client
from tests.support.upstream.raw_upstream import always, plain
from tests.support.upstream.upstream_failures import envelope
from tests.support.upstream.upstream_override import site_with

BGE, QWEN = "@cf/baai/bge-m3", "@cf/qwen/qwen3-embedding-0.6b"
RERANKER = "@cf/baai/bge-reranker-base"
PATH = "/v1/embeddings"


async def embed(program: ApiClient, given: Any = "Hello", **options: Any) -> Any:
    return await program.post(PATH, {"model": BGE, "input": given, **options})


async def vectors(program: ApiClient, given: Any, **options: Any) -> list[Any]:
    response = await embed(program, given, **options)
    assert response.status_code == 200, response.content
    return [each["embedding"] for each in response.json()["data"]]


async def test_each_text_has_its_vector_in_order(program: ApiClient) -> None:
    found = (await embed(program, ["One", "Two", "One"])).json()
    assert (found["object"], found["model"]) == ("list", BGE)
    assert [each["index"] for each in found["data"]] == [0, 1, 2]
    one, two, again = (each["embedding"] for each in found["data"])
    assert len(one) == 1024
    assert one == again != two
    assert found["usage"]["prompt_tokens"] == found["usage"]["total_tokens"] > 0
    assert await vectors(program, "One") == [one]


@pytest.mark.parametrize(
    "model", [each.id for each in read_catalogue(SHIPPED_EMBEDDINGS).values() if not each.task]
)
async def test_each_model_of_the_shipped_list_answers(program: ApiClient, model: str) -> None:
    response = await embed(program, model=model)
    assert response.status_code == 200, response.content
    charge = await Charge.objects.aget()
    assert (charge.model, charge.millineurons > 0) == (model, True)


async def test_base64_holds_the_same_numbers(program: ApiClient) -> None:
    (numbers,) = await vectors(program, "Hello", encoding_format="float")
    (text,) = await vectors(program, "Hello", encoding_format="base64")
    unpacked = struct.unpack("<1024f", base64.b64decode(text))
    assert unpacked == pytest.approx(numbers, abs=1e-6)


async def test_more_texts_than_the_provider_takes_are_sent_in_parts(program: ApiClient) -> None:
    given = [f"Text {number}" for number in range(230)]
    found = await vectors(program, given)
    assert len(found) == 230
    assert found[150] == (await vectors(program, given[150]))[0]
    assert (await embed(program, given[:40], model=QWEN)).status_code == 200  # 32 at a time


async def test_a_call_counts_on_the_account_and_on_the_key(program: ApiClient, alice: User) -> None:
    used = (await embed(program, "Hello " * 100)).json()["usage"]["total_tokens"]
    charge = await Charge.objects.aget()
    assert (charge.user_id, charge.api_key_id, charge.model) == (alice.pk, program.key.pk, BGE)
    assert charge.settled_at
    assert charge.tokens == used
    assert charge.microdollars == 2  # at $0.012 per million tokens, rounded up
    assert (await Meter.objects.aget(key=f"user:{alice.pk}")).running == 0


async def test_a_spent_budget_refuses(alice: User, stop_server_process: None) -> None:
    frugal = await new_api_client(alice, monthly_usd=Decimal("0"))
    response = await embed(frugal)
    assert (response.status_code, response.json()["error"]["code"]) == (429, "insufficient_quota")


async def test_an_error_of_the_provider_costs_nothing(program: ApiClient) -> None:
    for answer in (plain(502, envelope(8005)), plain(200, b"{}"), plain(200, b'{"data":[]}')):
        async with site_with(always(answer)):
            assert (await embed(program)).status_code == 502
    assert [each.tokens async for each in Charge.objects.all()] == [0, 0, 0]


async def test_an_openai_compatible_provider_is_asked_at_its_address(program: ApiClient) -> None:
    told = {"data": [{"embedding": [2.0], "index": 1}, {"embedding": [1.0], "index": 0}]}
    answer = plain(200, json.dumps(told).encode())
    async with site_with(always(answer), UPSTREAM_PROTOCOL="openai") as raw:
        assert await vectors(program, ["a", "b"]) == [[1.0], [2.0]]
    assert raw.requests[0].startswith(b"POST /client/v4/embeddings ")


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"model": None}, "model"),
        ({"input": ""}, "input"),
        ({"input": []}, "input"),
        ({"input": ["a", ""]}, "input"),
        ({"input": [1, 2]}, "input"),
        ({"input": [[1], [2]]}, "input"),
        ({"input": ["a"] * 2049}, "input"),
        ({"dimensions": 256}, "dimensions"),
        ({"encoding_format": "int8"}, "encoding_format"),
    ],
)
async def test_an_invalid_request_is_refused_by_name(
    program: ApiClient, options: dict[str, Any], param: str
) -> None:
    response = await program.post(PATH, {"model": BGE, "input": "Hello", **options})
    assert (response.status_code, response.json()["error"]["param"]) == (400, param)


async def test_only_embedding_models_embed_and_they_do_not_chat(
    program: ApiClient, settings: Settings
) -> None:
    assert (await embed(program, model=MODEL)).status_code == 404
    assert (await embed(program, model=RERANKER)).status_code == 404
    assert (await program.complete(model=BGE)).status_code == 404
    listed = (await program.get("/v1/models")).json()["data"]
    assert not {BGE, RERANKER} & {each["id"] for each in listed}
    settings.EMBEDDING_MODELS = {}
    assert (await embed(program)).json()["error"]["code"] == "model_not_found"


async def test_members_and_keys_with_some_models_only_may_not_embed(
    alice: User, program: ApiClient
) -> None:
    restricted = await new_api_client(alice, allowed_models=[MODEL])
    assert (await embed(restricted)).status_code == 403
    group = await Group.objects.acreate(name="Team")
    await alice.groups.aadd(group)
    await sync_to_async(model_permissions.set_for)(group, [MODEL])
    assert (await embed(program)).status_code == 403
