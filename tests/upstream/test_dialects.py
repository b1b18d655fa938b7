"""The same request for Workers AI, through AI Gateway, and for OpenAI-compatible servers."""

import json

import pytest

from chat.errors import ModelRemoved
from chat.upstream.request import GatewayOptions, ProviderEndpoint
from tests.support.upstream.raw_upstream import always, plain, raw_upstream, stream_of
from tests.support.upstream.upstream_requests import hear, question, upstream_at

OPENAI = b"".join(
    b"data: " + json.dumps(chunk).encode() + b"\n\n"
    for chunk in (
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]},
        {"choices": [{"index": 0, "delta": {"content": "Hi"}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6}},
    )
)


def test_workers_ai_is_called_at_the_models_url() -> None:
    endpoint = ProviderEndpoint("https://api.example/client/v4", "abc", "t0ken")
    assert (
        endpoint.url("@cf/meta/x") == "https://api.example/client/v4/accounts/abc/ai/run/@cf/meta/x"
    )
    body = json.loads(endpoint.body(question(parameters={"top_k": 5, "temperature": 0.5}), True))
    assert body["top_k"] == 5
    assert body["max_tokens"] == 256
    assert "model" not in body


def test_the_token_is_not_in_the_address_repr() -> None:
    assert "t0ken" not in repr(
        ProviderEndpoint(
            "https://api.example", "abc", "t0ken", gateway=GatewayOptions("g", "t0ken")
        )
    )


def test_gateway_settings_are_sent_as_headers() -> None:
    gateway = GatewayOptions(
        id="main", token="gt", cache_seconds=3600, attempts=3, timeout_milliseconds=9000
    )
    endpoint = ProviderEndpoint("https://api.example/client/v4", "abc", "t", gateway=gateway)
    headers = endpoint.headers(question(metadata={"principal": "user:1"}))
    assert headers["cf-aig-gateway-id"] == "main"
    assert headers["cf-aig-authorization"] == "Bearer gt"
    assert headers["cf-aig-cache-ttl"] == "3600"
    assert headers["cf-aig-max-attempts"] == "3"
    assert headers["cf-aig-request-timeout"] == "9000"
    assert json.loads(headers["cf-aig-metadata"]) == {"principal": "user:1"}
    skipping = ProviderEndpoint(
        "https://x", gateway=GatewayOptions("g", cache_seconds=60, skip_cache=True)
    )
    assert skipping.headers(question())["cf-aig-skip-cache"] == "true"
    assert "cf-aig-cache-ttl" not in skipping.headers(question())


async def test_the_gateways_log_id_and_cache_status_are_stored() -> None:
    answer = stream_of(OPENAI).replace(
        b"\r\n", b"\r\ncf-aig-log-id: log1\r\ncf-aig-cache-status: HIT\r\n", 1
    )
    async with raw_upstream(always(answer)) as raw, upstream_at(raw.url) as upstream:
        (opened,) = (await hear(upstream)).opened
    assert (opened.gateway_log_id, opened.gateway_cache_status) == ("log1", "HIT")


async def test_any_openai_compatible_server_answers() -> None:
    async with raw_upstream(always(stream_of(OPENAI, b"data: [DONE]\n\n"))) as raw:
        async with upstream_at(
            raw.url.replace("/client/v4", "/v1"), is_workers_ai=False
        ) as upstream:
            heard = await hear(upstream, question(parameters={"top_k": 5, "top_p": 0.5}))
    assert heard.text == "Hi"
    assert heard.finished is not None
    assert heard.finished.usage is not None
    assert heard.finished.usage.total_tokens == 6
    head, _, body = raw.requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1/chat/completions ")
    sent = json.loads(body)
    assert sent["model"] == "@cf/test/model"
    assert sent["top_p"] == 0.5
    assert "top_k" not in sent


async def test_errors_in_openais_format_are_understood() -> None:
    body = b'{"error":{"message":"no such model","type":"x","code":"model_not_found"}}'
    async with raw_upstream(always(plain(404, body))) as raw:
        async with upstream_at(raw.url, is_workers_ai=False) as upstream:
            with pytest.raises(ModelRemoved):
                await hear(upstream)
