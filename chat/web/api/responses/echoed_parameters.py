"""Repeat a request's tools and formats in its response, in the form of the Responses API.

Requests may also have the form of chat completions, and leave out what responses must have.
"""

from typing import Any


def echoed_tools(tools: Any) -> list[Any]:
    return [_tool(each) for each in tools] if isinstance(tools, list) else []


def echoed_choice(choice: Any) -> Any:
    if choice is None:
        return "auto"
    if choice == "any":
        return "required"
    return _flat(choice) if isinstance(choice, dict) else choice


def _tool(tool: Any) -> Any:
    if not isinstance(tool, dict):
        return tool
    flat = {"type": "function", **_flat(tool)}
    if flat["type"] != "function":
        return flat
    return {"parameters": None, "strict": None, **flat}


def _flat(named: dict[str, Any]) -> dict[str, Any]:
    """Return a tool, or the choice of one, without the object that chat completions have in it."""
    kind = str(named.get("type") or "function")
    inner = named.get(kind)
    if not isinstance(inner, dict):
        return named
    return {**{name: value for name, value in named.items() if name != kind}, **inner}
