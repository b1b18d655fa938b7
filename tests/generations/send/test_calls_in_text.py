"""A call that a model writes into its answer runs, and is no part of the answer's text."""

import json

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Message
from tests.support.api.api_client import MODEL, new_api_client
from tests.support.generations.mcp_calls import ask, call
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")


async def test_it_runs_and_the_model_gets_its_result(alice_client: AsyncClient) -> None:
    stream = await ask(alice_client, "/tool-text calculator 6*7", "calculator")
    one = await call()
    assert (one.tool, one.state) == ("calculator", "done")
    assert one.result.endswith("= 42")
    answer = await Message.objects.aget(pk=one.message_id)
    assert "tool_call" not in answer.text
    assert "42" in answer.text
    assert stream.key("state") == "complete"


async def test_one_with_effects_asks_first(alice_client: AsyncClient) -> None:
    await ask(alice_client, "/tool-text remember I ski", "remember")
    assert (await call()).state == "proposed"


async def test_without_tools_it_is_text(alice_client: AsyncClient) -> None:
    text = '<tool_call>{"name": "calculator", "arguments": {"expression": "1"}}</tool_call>'
    answer = stream_of(f"data: {json.dumps({'response': text})}\n\ndata: [DONE]\n\n".encode())
    async with site_with(always(answer)):
        stream = await ask(alice_client, "Hello", "none")
    assert stream.text == text


async def test_a_model_that_may_call_nothing_has_written_text(alice: User) -> None:
    client = await new_api_client(alice)
    text = '<tool_call>{"name": "look_up", "arguments": {}}</tool_call>'
    function = {"name": "look_up", "parameters": {"type": "object"}}
    body = {
        "model": MODEL,
        "messages": [{"role": "user", "content": "Hello"}],
        "tools": [{"type": "function", "function": function}],
        "tool_choice": "none",
    }
    written = stream_of(f"data: {json.dumps({'response': text})}\n\ndata: [DONE]\n\n".encode())
    async with site_with(always(written)):
        answer = (await client.post("/v1/chat/completions", body)).json()
    (choice,) = answer["choices"]
    assert (choice["message"]["content"], choice["finish_reason"]) == (text, "stop")


async def test_a_program_gets_it_as_a_call(alice: User) -> None:
    client = await new_api_client(alice)
    function = {"name": "look_up", "parameters": {"type": "object"}}
    body = {
        "model": MODEL,
        "messages": [{"role": "user", "content": "/tool-text look_up rivers"}],
        "tools": [{"type": "function", "function": function}],
    }
    answer = (await client.post("/v1/chat/completions", body)).json()
    (choice,) = answer["choices"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["tool_calls"][0]["function"]["name"] == "look_up"
    assert not choice["message"]["content"]
