"""Programs may declare any tools: models get those that they can call, as functions."""

from typing import Any

import pytest

from chat.errors import BadRequest
from tests.support.api.translated_requests import chat_question, response_question

SHELL = {"type": "function", "name": "shell", "parameters": {"type": "object"}}
AGENTS = {
    "type": "namespace",
    "name": "agents",
    "description": "Other agents.",
    "tools": [{"type": "function", "name": "spawn"}, {"type": "function", "name": "shell"}],
}
PATCH = {
    "type": "custom",
    "name": "patch",
    "description": "Edits files.",
    "format": {"type": "grammar", "syntax": "lark", "definition": "start: x"},
}
#: Declared by agents, and run by nobody here.
LEFT_OUT: list[dict[str, Any]] = [
    {"type": "web_search", "external_web_access": False},
    {"type": "web_search_preview"},
    {"type": "file_search", "vector_store_ids": ["vs_1"]},
    {"type": "code_interpreter", "container": {"type": "auto"}},
    {"type": "image_generation"},
    {"type": "computer_use_preview", "display_width": 1, "display_height": 1, "environment": "mac"},
    {"type": "mcp", "server_label": "x", "server_url": "https://example.org"},
    {"type": "local_shell"},
    {"type": "tool_search"},
    {"type": "a_type_of_next_year", "name": 7, "tools": "?"},
]


def names(parameters: Any) -> list[str]:
    return [each["function"]["name"] for each in parameters.get("tools", [])]


@pytest.mark.parametrize("tool", LEFT_OUT, ids=lambda tool: tool["type"])
async def test_a_tool_that_nobody_here_runs_is_left_out(tool: dict[str, Any]) -> None:
    asked = await response_question(tools=[tool, SHELL], tool_choice={"type": tool["type"]})
    assert names(asked.parameters) == ["shell"]
    assert "tool_choice" not in asked.parameters
    assert "tools" not in (await response_question(tools=[tool])).parameters
    assert "tools" not in (await chat_question(tools=[tool])).parameters


async def test_the_functions_of_a_namespace_are_functions() -> None:
    asked = await response_question(tools=[AGENTS, SHELL])
    assert names(asked.parameters) == ["shell", "spawn", "agents__shell"]


async def test_a_custom_tool_is_a_function_of_one_text() -> None:
    in_chats = {
        "name": "patch",
        "description": "Edits files.",
        "format": {"type": "grammar", "grammar": {"syntax": "lark", "definition": "start: x"}},
    }
    for asked in (
        await response_question(tools=[PATCH]),
        await chat_question(tools=[{"type": "custom", "custom": in_chats}]),
    ):
        (tool,) = asked.parameters["tools"]
        assert tool["function"]["parameters"]["required"] == ["input"]
        assert tool["function"]["description"] == (
            "Edits files.\n\nThe input has this grammar (lark):\nstart: x"
        )


async def test_functions_in_the_old_form_are_tools() -> None:
    asked = await chat_question(functions=[{"name": "f"}], function_call={"name": "f"})
    assert names(asked.parameters) == ["f"]
    assert asked.parameters["tool_choice"]["function"] == {"name": "f"}
    assert asked.parameters["parallel_tool_calls"] is False


async def test_the_input_may_declare_more_tools() -> None:
    given = [
        {"type": "additional_tools", "role": "developer", "tools": [SHELL]},
        {"role": "user", "content": "Hi"},
    ]
    assert names((await response_question(given)).parameters) == ["shell"]


NAMED = {"type": "function", "function": {"name": "shell"}}


@pytest.mark.parametrize(
    ("choice", "offered", "sent"),
    [
        ("auto", 3, None),
        ("required", 3, "required"),
        ("any", 3, "required"),
        ("none", 0, None),
        ({"type": "function", "name": "shell"}, 3, NAMED),
        (NAMED, 3, NAMED),
        ({"type": "custom", "name": "patch"}, 3, {**NAMED, "function": {"name": "patch"}}),
        ({"type": "web_search"}, 3, None),
        ({"type": "mcp", "server_label": "x", "name": "y"}, 3, None),
        ({"type": "allowed_tools", "mode": "auto", "tools": [NAMED, {"type": "mcp"}]}, 1, None),
        ({"type": "allowed_tools", "mode": "required", "tools": [NAMED]}, 1, "required"),
        (
            {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [NAMED]}},
            1,
            "required",
        ),
        ({"type": "allowed_tools", "mode": "required", "tools": [{"type": "mcp"}]}, 0, None),
    ],
)
async def test_a_choice_leaves_the_model_what_it_names(
    choice: Any, offered: int, sent: Any
) -> None:
    tools = [SHELL, PATCH, {"type": "function", "name": "other"}, {"type": "web_search"}]
    parameters = (await response_question(tools=tools, tool_choice=choice)).parameters
    assert len(names(parameters)) == offered
    assert parameters.get("tool_choice") == sent


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"tools": [{"type": "function"}]}, "tools[0]"),
        ({"tools": [{"type": "custom"}]}, "tools[0]"),
        ({"tools": [{"type": "function", "name": ""}]}, "tools[0].name"),
        ({"tools": [{**AGENTS, "tools": [{"type": "function"}]}]}, "tools[0].tools[0]"),
        ({"tools": [SHELL], "tool_choice": "sometimes"}, "tool_choice"),
        ({"tools": [SHELL], "tool_choice": {"type": "function", "name": "b"}}, "tool_choice"),
        ({"tools": [{**SHELL, "name": f"f{n}"} for n in range(129)]}, "tools"),
        ({"functions": [{"description": "x"}]}, "functions[0]"),
    ],
)
async def test_a_tool_that_cannot_be_read_is_refused_by_name(
    options: dict[str, Any], param: str
) -> None:
    with pytest.raises(BadRequest) as caught:
        await chat_question(**options)
    assert caught.value.param == param
