"""Every answer has a usage: the provider's, wherever it reports it, else the estimate charged."""

import json
from typing import Any

import pytest

from chat.quotas.models import Charge
from tests.support.api.api_client import GEMMA, ApiClient, events_of
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

COUNTED = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
DETAILED = {**COUNTED, "completion_tokens_details": {"reasoning_tokens": 2}}


def answer(**last: Any) -> bytes:
    """Return a stream whose last chunk has further keys."""
    choice = {"index": 0, "delta": {"content": "Hello there"}, "finish_reason": "stop"}
    chunk = {"choices": [{**choice, **last.pop("choice", {})}], **last}
    return stream_of(b"data: " + json.dumps(chunk).encode() + b"\n\n", b"data: [DONE]\n\n")


PLACES: dict[str, dict[str, Any]] = {
    "its own place": {"usage": DETAILED},
    "Groq's": {"x_groq": {"id": "r", "usage": DETAILED}},
    "Moonshot's": {"choice": {"usage": DETAILED}},
}


@pytest.mark.parametrize("place", PLACES)
async def test_the_providers_usage_is_relayed(program: ApiClient, place: str) -> None:
    async with site_with(always(answer(**PLACES[place]))):
        found = (await program.complete(model=GEMMA)).json()["usage"]
        body = {"model": GEMMA, "input": "Hello"}
        response = (await program.post("/v1/responses", body)).json()["usage"]
    assert found == DETAILED
    assert response["output_tokens_details"] == {"reasoning_tokens": 2}


async def test_the_estimate_stands_in_for_it(program: ApiClient) -> None:
    async with site_with(always(answer())):
        whole = (await program.complete(model=GEMMA)).json()["usage"]
        options: Any = {"stream": True, "stream_options": {"include_usage": True}}
        *_, last, _done = await events_of(await program.complete(model=GEMMA, **options))
    assert whole == last["usage"]
    assert whole["total_tokens"] == whole["prompt_tokens"] + whole["completion_tokens"]
    assert whole["completion_tokens"] == 4
    charged = [each.amount.tokens async for each in Charge.objects.all()]
    assert charged == [whole["total_tokens"]] * 2
