"""Answers with tools end, and cost what was used, whatever goes wrong on the way."""

import json
from typing import Any

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.generations.models import Generation
from chat.generations.send import answer_events
from chat.quotas.models import Charge
from tests.support.generations.send import send
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream
from tests.support.upstream.raw_upstream import in_turn, plain, stream_of
from tests.support.upstream.upstream_override import site_with

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

MODEL = "@cf/openai/gpt-oss-20b"
DONE = b"data: [DONE]\n\n"
USAGE = b'data: {"choices": [], "usage": {"prompt_tokens": 90, "completion_tokens": 10}}\n\n'
ODD_ADDRESSES = ["https://[x#y", "https://a℀b/#x", "http://[::1", "https://a#" + "#" * 900]


@pytest.mark.parametrize("address", ODD_ADDRESSES)
async def test_odd_addresses_are_read_like_any_text(
    alice: User, alice_client: AsyncClient, address: str
) -> None:
    sent = await send(alice_client, text=f"Look at {address}", site_tools=["web_search"])
    assert (await read_stream(sent)).text
    assert (await Generation.objects.aget()).state == "complete"


async def test_an_answer_that_can_t_begin_ends_and_costs_nothing(
    alice: User, alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_given: Any, **_named: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(answer_events, "tool_use", broken)
    stored = await send(alice_client, text="Hello", site_tools=["calculator"])
    assert (await Generation.objects.aget()).state == "failed"
    body = {"messages": [{"role": "user", "content": "Hi"}], "site_tools": ["calculator"]}
    temporary = await alice_client.post(
        "/chat/stream", body, content_type="application/json", headers=SAME_ORIGIN
    )
    assert [stored.status_code, temporary.status_code] == [500, 500]
    charges = [each async for each in Charge.objects.all()]
    assert [each.tokens for each in charges] == [0, 0]
    assert all(each.settled_at for each in charges)


FAILURES = {
    "refused": plain(400, b'{"errors": []}'),
    "empty": stream_of(),
}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("usage", [USAGE, b""], ids=["known", "unknown"])
async def test_requests_before_one_that_fails_are_charged(
    alice: User, alice_client: AsyncClient, usage: bytes, failure: str
) -> None:
    function = {"name": "calculator", "arguments": '{"expression": "6*7"}'}
    delta = {"tool_calls": [{"index": 0, "id": "theirs", "function": function}]}
    choice = {"index": 0, "delta": delta, "finish_reason": "tool_calls"}
    call = f"data: {json.dumps({'choices': [choice]})}\n\n".encode()
    answers = in_turn(stream_of(call, usage, DONE), FAILURES[failure])
    async with site_with(answers):
        await read_stream(
            await send(alice_client, text="So?", site_tools=["calculator"], model=MODEL)
        )
    charge = await Charge.objects.aget()
    assert (await Generation.objects.aget()).state == "failed"
    assert charge.settled_at
    assert charge.tokens == 100 if usage else (charge.tokens or 0) > 100
