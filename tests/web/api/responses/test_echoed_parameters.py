"""A response repeats the request's tools and their choice in its own form."""

from typing import Any

import pytest

from chat.web.api.responses.echoed_parameters import echoed_choice, echoed_tools

FLAT = {"type": "function", "name": "f", "parameters": None, "strict": None}
CUSTOM = {"type": "custom", "name": "c", "format": {"type": "text"}}


@pytest.mark.parametrize(
    ("sent", "echoed"),
    [
        ({"type": "function", "name": "f"}, FLAT),
        ({"name": "f"}, FLAT),
        ({"type": "function", "function": {"name": "f"}}, FLAT),
        ({**FLAT, "strict": True, "parameters": {}}, {**FLAT, "strict": True, "parameters": {}}),
        (CUSTOM, CUSTOM),
        ({"type": "custom", "custom": {"name": "c", "format": {"type": "text"}}}, CUSTOM),
        ({"type": "web_search", "external": 1}, {"type": "web_search", "external": 1}),
    ],
)
def test_a_tool_has_the_fields_of_a_response(sent: Any, echoed: Any) -> None:
    assert echoed_tools([sent]) == [echoed]


@pytest.mark.parametrize("tools", [None, "x", {}, [], [None], [1], [[]]])
def test_what_is_no_tool_is_no_error(tools: Any) -> None:
    assert echoed_tools(tools) == (tools if isinstance(tools, list) else [])


@pytest.mark.parametrize(
    ("sent", "echoed"),
    [
        (None, "auto"),
        ("any", "required"),
        ("none", "none"),
        ({"type": "function", "name": "f"}, {"type": "function", "name": "f"}),
        ({"type": "function", "function": {"name": "f"}}, {"type": "function", "name": "f"}),
        (
            {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": []}},
            {"type": "allowed_tools", "mode": "auto", "tools": []},
        ),
    ],
)
def test_a_choice_has_the_form_of_a_response(sent: Any, echoed: Any) -> None:
    assert echoed_choice(sent) == echoed
