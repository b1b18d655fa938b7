"""`logprobs` says how likely tokens were, where the provider tells."""

import json
from typing import Any

import pytest
from msgspec import Raw

from chat.generations.delivery.encoders.base import FrameReader
from chat.generations.log.frames import frames_of
from chat.upstream.events import LogProb
from tests.support.api.api_client import GEMMA, ApiClient, events_of
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with


def token(text: str, likely: float) -> dict[str, Any]:
    other = {"token": "Oh", "logprob": -3.5, "bytes": [79, 104]}
    return {"token": text, "logprob": likely, "bytes": list(text.encode()), "top_logprobs": [other]}


def chunk(text: str, log_probs: Any, reason: str | None = None) -> bytes:
    choice = {"delta": {"content": text}, "logprobs": log_probs, "finish_reason": reason}
    return b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"


TOKENS = [token("Hi", -0.1), token(" there", -0.2), token(".", -1.25)]
ANSWER = stream_of(
    chunk("Hi", {"content": TOKENS[:1], "refusal": None}),
    chunk(" there.", {"content": TOKENS[1:]}),
    chunk("", None, "stop"),
    b"data: [DONE]\n\n",
)
#: What isn't in the documented form loses only the numbers.
ODD: list[Any] = [[], 5, "x", {"content": 5}, {"content": [5]}, {"content": [{"token": 1}]}]


async def test_a_whole_answer_has_each_token(program: ApiClient) -> None:
    async with site_with(always(ANSWER), UPSTREAM_PROTOCOL="openai") as raw:
        whole = (await program.complete(model=GEMMA, logprobs=True, top_logprobs=1)).json()
    (choice,) = whole["choices"]
    assert choice["message"]["content"] == "Hi there."
    assert choice["logprobs"] == {"content": TOKENS, "refusal": None}
    assert b'"logprobs":true' in raw.requests[0]
    assert b'"top_logprobs":1' in raw.requests[0]


async def test_a_stream_has_them_with_their_text(program: ApiClient) -> None:
    async with site_with(always(ANSWER), UPSTREAM_PROTOCOL="openai"):
        response = await program.complete(model=GEMMA, logprobs=True, stream=True)
        *chunks, _done = await events_of(response)
    told = [
        (each["delta"]["content"], [one["token"] for one in each["logprobs"]["content"]])
        for chunk in chunks
        if (each := chunk["choices"][0])["logprobs"]
    ]
    assert told == [("Hi", ["Hi"]), (" there.", [" there", "."])]


async def test_nobody_gets_them_without_asking(program: ApiClient) -> None:
    async with site_with(always(ANSWER), UPSTREAM_PROTOCOL="openai") as raw:
        whole = (await program.complete(model=GEMMA, logprobs=False)).json()
    assert whole["choices"][0]["logprobs"] is None
    assert b"logprobs" not in raw.requests[0]


@pytest.mark.parametrize("odd", ODD, ids=str)
async def test_odd_ones_lose_no_text(program: ApiClient, odd: Any) -> None:
    answer = stream_of(chunk("Hi", odd), chunk(".", None, "stop"), b"data: [DONE]\n\n")
    async with site_with(always(answer), UPSTREAM_PROTOCOL="openai"):
        whole = (await program.complete(model=GEMMA, logprobs=True)).json()
    (choice,) = whole["choices"]
    assert (choice["message"]["content"], choice["logprobs"]) == ("Hi.", None)


async def test_workers_ai_has_none(program: ApiClient) -> None:
    response = await program.complete(logprobs=True)
    assert response.status_code == 400
    assert response.json()["error"]["param"] == "logprobs"
    assert (await program.complete(top_logprobs=0)).status_code == 200


def test_they_are_not_decoded_on_their_way() -> None:
    """An answer may have 32 MB of them, and decoding as much would keep everybody waiting."""
    text = json.dumps(TOKENS[0])
    ((_seq, payload),) = FrameReader().read(b"".join(frames_of(LogProb(text), 1)))
    assert payload == {"response": "", "logprob": Raw(text.encode())}
