"""Read the tools of a request, and which of them must be called."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chat.emulator.common.faults import Refusal
from chat.emulator.requests.problems import mismatch
from chat.lib.catalogue import Model

CHOICES = ("auto", "none", "required")


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)  # a JSON schema


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools that the model may call. `forced` is the one that it must call."""

    offered: tuple[Tool, ...] = ()
    forced: Tool | None = None
    are_forbidden: bool = False


def read_tools(model: Model, document: Mapping[str, Any]) -> Tools:
    """Return the tools; none if `tool_choice` forbids them.

    Native models ignore `tool_choice`. The real service takes `required` as advice; here a tool is
    called.
    """
    entries = [] if document.get("tools") is None else document["tools"]
    if not isinstance(entries, list):
        mismatch("/tools", entries, "array")
    tools = tuple(_read_tool(model, each) for each in entries)
    choice = document.get("tool_choice")
    if model.family != "openai" or choice is None:
        return Tools(tools)
    if isinstance(choice, dict):
        return Tools(tools, _named(tools, choice))
    if choice not in CHOICES:
        raise Refusal("8001")
    if choice == "none":
        return Tools(are_forbidden=True)
    if choice == "required":
        if not tools:
            raise Refusal("8001")
        return Tools(tools, tools[0])
    return Tools(tools)


def _read_tool(model: Model, tool: Any) -> Tool:
    function = tool.get("function", tool) if isinstance(tool, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise Refusal("8001")
    description = function.get("description", "")
    is_absent = description is None and model.family == "openai"
    if not isinstance(description, str) and not is_absent:
        raise Refusal("8001")
    parameters = function.get("parameters")
    return Tool(function["name"], parameters if isinstance(parameters, dict) else {})


def _named(tools: tuple[Tool, ...], choice: Mapping[str, Any]) -> Tool:
    function = choice.get("function")
    name = function.get("name") if isinstance(function, dict) else None
    tool = next((each for each in tools if each.name == name), None)
    if choice.get("type") != "function" or tool is None:
        raise Refusal("8001")
    return tool
