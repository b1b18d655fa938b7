"""The gateway tries again, chooses models, and has addresses of its own."""

from typing import Any

import pytest

from chat.emulator import Emulator
from chat.lib.catalogue import read_catalogue
from tests.emulator.exchange import (
    ACCOUNT,
    CHAT_COMPLETIONS,
    GEMMA,
    LLAMA,
    Reply,
    get,
    question,
    run_path,
    send,
)

GATEWAY = {"cf-aig-gateway-id": "default"}
OWN = "/v1/0123456789abcdef0123456789abcdef/main"
GONE = "@cf/microsoft/phi-2"


async def through(emulator: Emulator, text: str, path: str = run_path(), **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return await send(emulator, question(text, stream=False), path, headers=GATEWAY | named)


async def test_a_document_from_the_cache_is_the_same_and_costs_nothing() -> None:
    emulator = Emulator(tokens_per_second=0, neurons_per_day=1)
    first = await through(emulator, "/long 500", cf_aig_cache_ttl="60")
    assert (await through(emulator, "Hello")).code == 4006
    second = await through(emulator, "/long 500", cf_aig_cache_ttl="60")
    assert second.headers["cf-aig-cache-status"] == "HIT"
    assert second.json == first.json


async def test_streams_are_not_cached(emulator: Emulator) -> None:
    headers = {**GATEWAY, "cf-aig-cache-ttl": "60"}
    for _ in range(2):
        reply = await send(emulator, question("Hello"), headers=headers)
        assert reply.headers["cf-aig-cache-status"] == "MISS"
        assert reply.is_done


async def test_a_request_is_tried_as_often_as_wished(emulator: Emulator) -> None:
    assert (await through(emulator, "/busy 2 Hello", cf_aig_max_attempts="2")).code == 3040
    assert (await through(emulator, "/busy 4 Again", cf_aig_max_attempts="5")).status == 200


async def test_an_error_of_the_request_is_not_tried_again(emulator: Emulator) -> None:
    reply = await through(emulator, "/error 5006", cf_aig_max_attempts="5")
    assert reply.code == 5006


async def test_a_late_first_byte_is_a_timeout(emulator: Emulator) -> None:
    late = await send(
        emulator,
        question("/stall 0"),
        headers={**GATEWAY, "cf-aig-request-timeout": "20"},
    )
    assert (late.status, late.code) == (408, 3046)
    assert emulator.open_bodies == 0


async def test_an_authenticated_gateway_wants_its_token() -> None:
    emulator = Emulator(tokens_per_second=0, gateway_token="open sesame")
    assert (await through(emulator, "Hello")).code == 2009
    wrong = await through(emulator, "Hello", cf_aig_authorization="Bearer other")
    assert wrong.status == 401
    right = await through(emulator, "Hello", cf_aig_authorization="Bearer open sesame")
    assert right.status == 200
    assert (await send(emulator, question("Hello"))).status == 200  # without a gateway


def routed(name: str = "support", text: str = "Hello") -> dict[str, Any]:
    return question(text, model=f"dynamic/{name}", stream=False)


async def test_a_route_uses_its_first_model() -> None:
    emulator = Emulator(tokens_per_second=0, routes={"support": (GEMMA, LLAMA)})
    reply = await send(emulator, routed(), CHAT_COMPLETIONS, headers=GATEWAY)
    assert reply.headers["cf-aig-model"] == GEMMA
    assert reply.headers["cf-aig-provider"] == "workers-ai"
    assert reply.headers["cf-aig-step"] == "0"
    assert reply.json["model"] == GEMMA


async def test_a_route_falls_back_to_its_next_model() -> None:
    emulator = Emulator(tokens_per_second=0, routes={"support": (GEMMA, LLAMA)})
    reply = await send(emulator, routed(text="/busy 1"), CHAT_COMPLETIONS, headers=GATEWAY)
    assert (reply.headers["cf-aig-model"], reply.headers["cf-aig-step"]) == (LLAMA, "1")


@pytest.mark.parametrize("headers", [GATEWAY, {}])
async def test_a_route_that_does_not_exist_is_refused(headers: dict[str, str]) -> None:
    emulator = Emulator(tokens_per_second=0, routes={} if headers else {"support": (GEMMA,)})
    assert (await send(emulator, routed(), CHAT_COMPLETIONS, headers=headers)).code == 2001


async def test_a_route_is_refused_on_run() -> None:
    emulator = Emulator(tokens_per_second=0, routes={"support": (GEMMA,)})
    document = question("Hello")
    reply = await send(emulator, document, run_path("dynamic/support"), headers=GATEWAY)
    assert reply.code == 7000


@pytest.mark.parametrize(
    ("path", "model"),
    [
        (f"{OWN}/workers-ai/{LLAMA}", None),
        (f"{OWN}/workers-ai/run/{LLAMA}", None),
        (f"{OWN}/workers-ai/v1/chat/completions", GEMMA),
        (f"{OWN}/compat/chat/completions", f"workers-ai/{GEMMA}"),
    ],
)
async def test_the_gateways_own_addresses_work(
    emulator: Emulator, path: str, model: str | None
) -> None:
    document = question("Hello", stream=False, **({"model": model} if model else {}))
    reply = await send(emulator, document, path)
    assert reply.status == 200
    assert "cf-aig-log-id" in reply.headers


async def test_the_gateway_lists_the_models(emulator: Emulator) -> None:
    found = (await get(emulator, f"{OWN}/compat/models")).json["data"]
    assert len(found) == sum(not model.is_gone for model in read_catalogue().values())


def step(endpoint: str, text: str = "Hello", provider: str = "workers-ai") -> dict[str, Any]:
    query = {"messages": [{"role": "user", "content": text}], "model": GEMMA}
    return {"provider": provider, "endpoint": endpoint, "query": query}


async def test_the_universal_endpoint_tries_its_steps_in_order(emulator: Emulator) -> None:
    steps = [step(LLAMA, "/error 3040"), step("v1/chat/completions")]
    reply = await send(emulator, steps, OWN)
    assert reply.headers["cf-aig-step"] == "1"
    assert reply.json["choices"]


@pytest.mark.parametrize("steps", [[], {}, ["x"], [step(LLAMA, provider="other")], [step(GONE)]])
async def test_a_wrong_universal_request_is_refused(emulator: Emulator, steps: Any) -> None:
    assert (await send(emulator, steps, OWN)).status == 400


async def test_an_address_below_the_gateway_that_does_not_exist_is_refused(
    emulator: Emulator,
) -> None:
    assert (await send(emulator, {}, f"{OWN}/nowhere")).code == 7000
    assert (await send(emulator, {}, f"{ACCOUNT}/ai/nowhere")).code == 7000
