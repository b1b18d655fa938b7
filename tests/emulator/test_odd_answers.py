"""Authors of clients can ask for cut calls, odd finish reasons and content in parts."""

import json
from typing import Any

import pytest

from chat.emulator import Emulator
from tests.emulator.exchange import GEMMA, LLAMA, ask, ask_v1

TOOLS = [{"type": "function", "function": {"name": "read_gauge", "parameters": {}}}]


def arguments_in(events: list[dict[str, Any]]) -> str:
    deltas = [each["choices"][0]["delta"] for each in events if each.get("choices")]
    calls = [call for delta in deltas for call in delta.get("tool_calls", ())]
    return "".join(call["function"]["arguments"] for call in calls)


async def test_a_tool_call_is_cut_half_way(emulator: Emulator) -> None:
    reply = await ask_v1(emulator, "/tool-cut how high", GEMMA, tools=TOOLS)
    assert reply.finish_reasons == ["length"]
    with pytest.raises(json.JSONDecodeError):
        json.loads(arguments_in(reply.events))


@pytest.mark.parametrize("stream", [True, False])
async def test_max_tokens_cuts_a_call_and_counts_it(emulator: Emulator, stream: bool) -> None:
    asked = "/tool " + "how high " * 100
    options: Any = {"tools": TOOLS, "max_tokens": 20, "stream": stream}
    reply = await ask_v1(emulator, asked, GEMMA, **options)
    if stream:
        found, usage = (reply.finish_reasons, arguments_in(reply.events)), reply.summed_usage
    else:
        (choice,) = reply.json["choices"]
        (call,) = choice["message"]["tool_calls"]
        found = [choice["finish_reason"]], call["function"]["arguments"]
        usage = reply.json["usage"]
    assert found[0] == ["length"]
    assert 10 < len(found[1]) < 200
    assert usage["completion_tokens"] == 20


async def test_any_finish_reason_can_be_asked_for(emulator: Emulator) -> None:
    assert (await ask(emulator, "/finish network_error", GEMMA)).finish_reasons == ["network_error"]
    assert (await ask(emulator, "/finish", LLAMA)).events[-2] == {"finish_reason": "abort"}
    assert len((await ask(emulator, "/finish eos 3", GEMMA)).text.split()) <= 3


async def test_content_can_be_a_list_of_parts(emulator: Emulator) -> None:
    reply = await ask_v1(emulator, "/parts Why?", GEMMA)
    contents = [each["choices"][0]["delta"].get("content") for each in reply.events]
    kinds = [part["type"] for content in contents if content for part in content]
    assert kinds == sorted(kinds, key=("thinking", "text").index)
    assert set(kinds) == {"thinking", "text"}


async def test_reasoning_can_be_in_the_text(emulator: Emulator) -> None:
    assert (await ask(emulator, "/think-tags Why?", LLAMA)).text.startswith("<think>\n")
