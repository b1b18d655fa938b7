"""Texts are scored by the provider, in its own format, and the scores come in the texts' order."""

import json
from typing import Any

import httpx
import pytest

from chat.emulator import Emulator, EmulatorTransport
from chat.errors import UpstreamDisconnected
from chat.upstream.client import Upstream
from chat.upstream.request import ProviderEndpoint
from chat.upstream.reranking.client import rerank
from tests.support.upstream.upstream_requests import TIMEOUTS

CLOUDFLARE = ProviderEndpoint("http://provider.invalid/client/v4", "a", "secret")
OPENAI = ProviderEndpoint("http://provider.invalid/v1", token="secret", is_workers_ai=False)
MODEL = "@cf/baai/bge-reranker-base"
TEXTS = ["Rivers are long.", "The bridge opened in 1932."]


async def scores(endpoint: ProviderEndpoint, transport: httpx.AsyncBaseTransport) -> list[float]:
    upstream = Upstream(endpoint, transport, TIMEOUTS)
    try:
        return await rerank(upstream, MODEL, "When was the bridge opened?", TEXTS, "user:1")
    finally:
        await upstream.aclose()


def answering(document: Any, asked: list[httpx.Request] | None = None) -> httpx.MockTransport:
    def handle(request: httpx.Request) -> httpx.Response:
        if asked is not None:
            asked.append(request)
        return httpx.Response(200, content=json.dumps(document))

    return httpx.MockTransport(handle)


async def test_the_emulator_scores_each_text() -> None:
    emulator = Emulator(tokens_per_second=0)
    river, bridge = await scores(CLOUDFLARE, EmulatorTransport(emulator))
    assert bridge > river


async def test_workers_ai_is_asked_for_all_scores_in_its_format() -> None:
    asked: list[httpx.Request] = []
    found = [{"id": 1, "score": 0.9}, {"id": 0, "score": 0.1}]
    transport = answering({"result": {"response": found}, "success": True}, asked)
    assert await scores(CLOUDFLARE, transport) == [0.1, 0.9]
    assert asked[0].url.path == f"/client/v4/accounts/a/ai/run/{MODEL}"
    body = json.loads(asked[0].content)
    assert (body["contexts"], body["top_k"]) == ([{"text": text} for text in TEXTS], 2)


async def test_other_servers_are_asked_in_the_format_that_they_share() -> None:
    asked: list[httpx.Request] = []
    found = [{"index": 1, "relevance_score": 3.5}, {"index": 0, "relevance_score": -2}]
    assert await scores(OPENAI, answering({"results": found}, asked)) == [-2, 3.5]
    assert asked[0].url.path == "/v1/rerank"
    body = json.loads(asked[0].content)
    assert (body["model"], body["documents"], body["top_n"]) == (MODEL, TEXTS, 2)


@pytest.mark.parametrize(
    "response",
    [
        [],
        [{"id": 0, "score": 1}],
        [{"id": 0, "score": 1}, {"id": 0, "score": 2}],
        [{"id": 0, "score": 1}, {"id": 2, "score": 2}],
        [{"id": 0, "score": 1}, {"id": 1, "score": "high"}],
        [{"id": 0, "score": 1}, {"id": 1}],
        None,
    ],
)
async def test_anything_but_a_score_for_each_text_is_an_error(response: Any) -> None:
    with pytest.raises(UpstreamDisconnected):
        await scores(CLOUDFLARE, answering({"result": {"response": response}}))
