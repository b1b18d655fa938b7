"""Providers get parameters by the names they know, learned from what they refuse and answer."""

import json
from typing import Any

import pytest

from chat.conversations.prompt import PromptMessage
from chat.errors import UpstreamError, UpstreamRejected
from chat.upstream import learned
from chat.upstream.request import ProviderEndpoint
from tests.support.upstream.raw_upstream import in_turn, plain, raw_upstream, stream_of
from tests.support.upstream.upstream_requests import MODEL, hear, question, upstream_at

GOOD = stream_of(
    b'data: {"choices":[{"delta":{"reasoning":"Hm"}}]}\n\n'
    b'data: {"choices":[{"delta":{"content":"Good"},"finish_reason":"stop"}]}\n\n'
)
THOUGHT = question()
THOUGHT.messages[:0] = [
    PromptMessage("user", "And?"),
    PromptMessage("assistant", "So.", reasoning="Since."),
]


def refused(message: str, param: str = "", status: int = 400) -> bytes:
    body = {"error": {"message": message, "param": param, "code": "unsupported_parameter"}}
    return plain(status, json.dumps(body).encode())


NEW_NAME = refused(
    "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.", "max_tokens"
)
OLD_NAME = plain(
    422,
    b'{"detail":[{"loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]}',
)
NO_FIELD = refused("property 'reasoning_content' is unsupported")
NO_REASONING = refused("Additional properties are not allowed ('reasoning' was unexpected)")


async def sent(*answers: bytes, times: int = 1) -> tuple[list[Any], UpstreamError | None]:
    """Return the bodies that the provider got, and the error that remained."""
    error = None
    async with (
        raw_upstream(in_turn(*answers)) as raw,
        upstream_at(raw.url, is_workers_ai=False) as upstream,
    ):
        for _ in range(times):
            try:
                await hear(upstream, THOUGHT)
            except UpstreamError as caught:
                error = caught
    return [json.loads(each.partition(b"\r\n\r\n")[2]) for each in raw.requests], error


async def test_a_refused_limit_is_sent_by_its_other_name_and_remembered() -> None:
    (first, second, third), error = await sent(NEW_NAME, GOOD, GOOD, times=2)
    assert error is None
    assert (first["max_tokens"], second["max_completion_tokens"]) == (256, 256)
    assert "max_tokens" not in second
    assert third["max_completion_tokens"] == 256


async def test_the_old_name_is_learned_too() -> None:
    learned.about(MODEL.id).limit_name = "max_completion_tokens"
    (_, second), error = await sent(OLD_NAME, GOOD)
    assert (second["max_tokens"], error) == (256, None)


async def test_a_provider_that_refuses_both_names_is_asked_twice() -> None:
    bodies, error = await sent(NEW_NAME, OLD_NAME)
    assert (len(bodies), type(error).__mro__[1]) == (2, UpstreamRejected)


async def test_a_limit_that_is_too_large_is_not_renamed() -> None:
    words = "max_tokens is too large: 9. This model supports at most 4 completion tokens."
    bodies, error = await sent(plain(400, json.dumps({"error": {"message": words}}).encode()))
    assert (len(bodies), type(error)) == (1, UpstreamRejected)


async def test_reasoning_goes_back_in_the_field_it_came_in() -> None:
    (first, second), _ = await sent(GOOD, GOOD, times=2)
    assert first["messages"][1]["reasoning_content"] == "Since."
    assert second["messages"][1] == {"role": "assistant", "content": "So.", "reasoning": "Since."}


async def test_reasoning_that_a_provider_refuses_is_left_out() -> None:
    (*_, last), error = await sent(NO_FIELD, NO_REASONING, GOOD)
    assert (last["messages"][1], error) == ({"role": "assistant", "content": "So."}, None)


@pytest.mark.parametrize(
    ("endpoint", "name"),
    [
        (ProviderEndpoint("https://api.openai.com/v1", is_workers_ai=False), "max_completion_tokens"),
        (ProviderEndpoint("https://api.example.com/v1", is_workers_ai=False), "max_tokens"),
        (ProviderEndpoint("https://api.cloudflare.com/client/v4"), "max_tokens"),
    ],
)  # fmt: skip
def test_the_provider_decides_on_the_first_name(endpoint: ProviderEndpoint, name: str) -> None:
    assert json.loads(endpoint.body(question(), stream=True))[name] == 256
