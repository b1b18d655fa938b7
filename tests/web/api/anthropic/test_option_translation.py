"""Tools, thinking and numbers of a request become parameters of a model. Nothing is started."""

from typing import Any

import pytest

from chat.lib.catalogue import Model
from tests.support.api.messages_request import BLIND, is_valid, text, translated, user

THINKING = Model(id="m", context_window=100_000, reasoning_efforts=("low", "medium", "high"))
SWITCHED = Model(id="m", context_window=100_000, thinking_switch="enable_thinking")
FUNCTION = {"name": "f", "description": "d", "input_schema": {"type": "object", "x": 1}}
WRITTEN = {
    "type": "function",
    "function": {"name": "f", "description": "d", "parameters": {"type": "object", "x": 1}},
}
SEARCH = {"type": "web_search_20250305", "name": "web_search", "max_uses": 3}
#: Tools and a choice, and what the provider gets.
TOOLS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "a function": ([{**FUNCTION, "defer_loading": True}], None, {"tools": [WRITTEN]}),
    "auto": ([FUNCTION], {"type": "auto"}, {"tools": [WRITTEN]}),
    "any": ([FUNCTION], {"type": "any"}, {"tools": [WRITTEN], "tool_choice": "required"}),
    "one by name": (
        [FUNCTION],
        {"type": "tool", "name": "f"},
        {"tools": [WRITTEN], "tool_choice": {"type": "function", "function": {"name": "f"}}},
    ),
    "none": ([FUNCTION], {"type": "none"}, {}),
    "one at a time": (
        [FUNCTION],
        {"type": "auto", "disable_parallel_tool_use": True},
        {"tools": [WRITTEN], "parallel_tool_calls": False},
    ),
    "a tool of servers is left out": ([SEARCH, FUNCTION], None, {"tools": [WRITTEN]}),
    "only a tool of servers": ([SEARCH], {"type": "any"}, {}),
    "a choice that is left out": (
        [SEARCH, FUNCTION],
        {"type": "tool", "name": "web_search"},
        {"tools": [WRITTEN]},
    ),
}


@pytest.mark.parametrize("kind", TOOLS)
async def test_tools_become_functions(kind: str) -> None:
    tools, choice, expected = TOOLS[kind]
    request = {"tools": tools} | ({"tool_choice": choice} if choice else {})
    assert is_valid({"model": "m", "max_tokens": 1, "messages": [user(text("a"))], **request})
    assert (await translated(**request)).parameters == expected


@pytest.mark.parametrize(
    ("kind", "name"),
    [("bash_20250124", "bash"), ("text_editor_20250728", "str_replace_based_edit_tool")],
)
async def test_tools_that_programs_run_get_their_schemas(kind: str, name: str) -> None:
    (tool,) = (await translated(tools=[{"type": kind, "name": name}])).parameters["tools"]
    assert tool["function"]["name"] == name
    assert "command" in tool["function"]["parameters"]["properties"]


@pytest.mark.parametrize(
    ("model", "request_", "effort"),
    [
        (THINKING, {"output_config": {"effort": "max"}}, "high"),
        (THINKING, {"output_config": {"effort": "low"}, "thinking": {"type": "adaptive"}}, "low"),
        (THINKING, {"thinking": {"type": "enabled", "budget_tokens": 2000}}, "low"),
        (THINKING, {"thinking": {"type": "enabled", "budget_tokens": 5000}}, "medium"),
        (THINKING, {"thinking": {"type": "enabled", "budget_tokens": 30_000}}, "high"),
        (THINKING, {"thinking": {"type": "disabled"}}, "low"),
        (THINKING, {"thinking": {"type": "adaptive"}}, ""),
        (THINKING, {}, ""),
        (SWITCHED, {"thinking": {"type": "disabled"}}, "none"),
        (BLIND, {"output_config": {"effort": "high"}}, ""),
    ],
)
async def test_thinking_becomes_the_nearest_effort(
    model: Model, request_: dict[str, Any], effort: str
) -> None:
    assert (await translated(model, **request_)).reasoning_effort == effort


async def test_numbers_are_moved_into_the_range_of_the_site() -> None:
    sent = {"temperature": 0.5, "top_p": 0, "top_k": 400, "stop_sequences": ["END"]}
    question = await translated(**sent, max_tokens=10_000_000)
    assert question.parameters == {"temperature": 0.5, "top_p": 0.001, "top_k": 50}
    assert (question.stop, question.max_tokens) == (("END",), 16_384)


async def test_a_schema_becomes_a_response_format() -> None:
    schema = {"type": "object", "properties": {}}
    question = await translated(output_config={"format": {"type": "json_schema", "schema": schema}})
    written = {"name": "answer", "schema": schema}
    assert question.response_format == {"type": "json_schema", "json_schema": written}


async def test_what_has_no_meaning_here_is_ignored() -> None:
    options: dict[str, Any] = {
        "metadata": {"user_id": "x"},
        "service_tier": "auto",
        "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
        "mcp_servers": [],
        "container": None,
        "cache_control": {"type": "ephemeral"},
        "inference_geo": None,
    }
    assert await translated(**options) == await translated()
