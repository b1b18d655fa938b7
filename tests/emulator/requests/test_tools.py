"""Tools are called as the request says, with arguments that fit their schemas."""

import json
from typing import Any

import pytest

from chat.emulator import Emulator
from tests.emulator.exchange import CHAT_COMPLETIONS, GEMMA, LLAMA, Reply, run_path, send
from tests.emulator.schema_check import fits

WEATHER = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer", "minimum": 2},
        "unit": {"enum": ["C", "F"]},
    },
    "required": ["city", "days", "unit"],
}


def tool(name: str = "weather", **changes: Any) -> dict[str, Any]:
    function = {"name": name, "description": "The weather", "parameters": WEATHER} | changes
    return {"type": "function", "function": function}


async def asked(
    emulator: Emulator, text: str, model: str = GEMMA, path: str = "", **parameters: Any
) -> Reply:
    messages = [{"role": "user", "content": text}]
    document = {"model": model, "messages": messages, "tools": [tool()], **parameters}
    return await send(emulator, document, path or CHAT_COMPLETIONS)


def call_of(reply: Reply) -> Any:
    calls = reply.json["choices"][0]["message"].get("tool_calls")
    return calls[0]["function"] if calls else None


async def test_arguments_follow_the_schema(emulator: Emulator) -> None:
    call = call_of(await asked(emulator, "/tool Oslo"))
    arguments = json.loads(call["arguments"])
    assert fits(arguments, WEATHER)
    assert arguments["city"] == "Oslo"


async def test_arguments_of_native_models_follow_it_too(emulator: Emulator) -> None:
    reply = await asked(emulator, "/tool Oslo", path=run_path(LLAMA))
    assert fits(reply.json["result"]["tool_calls"][0]["arguments"], WEATHER)


async def test_a_tool_without_a_schema_gets_the_text(emulator: Emulator) -> None:
    call = call_of(await asked(emulator, "/tool Oslo", tools=[tool(parameters=None)]))
    assert json.loads(call["arguments"]) == {"query": "Oslo"}


async def test_a_named_tool_is_called_whatever_the_message_says(emulator: Emulator) -> None:
    choice = {"type": "function", "function": {"name": "second"}}
    tools = [tool(), tool("second")]
    reply = await asked(emulator, "Hello", tools=tools, tool_choice=choice)
    assert call_of(reply)["name"] == "second"
    assert reply.json["choices"][0]["finish_reason"] == "tool_calls"


async def test_a_required_tool_is_called(emulator: Emulator) -> None:
    assert call_of(await asked(emulator, "Hello", tool_choice="required"))["name"] == "weather"


@pytest.mark.parametrize("text", ["Hello", "/tool Oslo"])
async def test_no_tool_is_called_if_that_is_forbidden(emulator: Emulator, text: str) -> None:
    assert call_of(await asked(emulator, text, tool_choice="none")) is None


async def test_after_a_result_even_a_required_tool_is_not_called_again(emulator: Emulator) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "Rain"},
    ]
    document = {"model": GEMMA, "messages": messages, "tools": [tool()], "tool_choice": "required"}
    reply = await send(emulator, document, CHAT_COMPLETIONS)
    assert "Rain" in reply.json["choices"][0]["message"]["content"]


@pytest.mark.parametrize(
    "parameters",
    [
        {"tool_choice": "any"},
        {"tool_choice": "required", "tools": []},
        {"tool_choice": {"type": "function", "function": {"name": "unknown"}}},
        {"tool_choice": {"type": "tool"}},
        {"tools": [tool(description=False)]},
        {"tools": [{"type": "function", "function": {}}]},
    ],
)
async def test_invalid_tools_are_refused(emulator: Emulator, parameters: dict[str, Any]) -> None:
    assert (await asked(emulator, "Hello", **parameters)).code == 8001


async def test_native_models_ignore_the_choice(emulator: Emulator) -> None:
    reply = await asked(emulator, "Hello", path=run_path(LLAMA), tool_choice="any")
    assert reply.json["result"]["response"]


async def test_a_null_description_is_for_openai_models_only(emulator: Emulator) -> None:
    tools = [tool(description=None)]
    assert (await asked(emulator, "Hello", tools=tools)).status == 200
    reply = await asked(emulator, "Hello", LLAMA, path=run_path(LLAMA), tools=tools)
    assert reply.code == 8001
