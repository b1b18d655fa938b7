"""Read which tools the model may or must call, in all forms that OpenAI's APIs have."""

from collections.abc import Callable, Collection
from typing import Any

from chat.errors import BadRequest

#: Return the name by which the model knows a tool, from its name and its namespace.
Naming = Callable[[str, str], str]
FUNCTION_TYPES = frozenset({"function", "custom"})


def allowed_names(choice: Any, naming: Naming) -> set[str] | None:
    """Return the names of the tools that `choice` leaves to the model; None for all."""
    if _allowed(choice) is None:
        return None
    named = [_named(each, naming) for each in allowed_tools(choice)]
    return {each for each in named if each}


def allowed_tools(choice: Any) -> list[Any]:
    """Return the tools that `choice` lists."""
    tools = (_allowed(choice) or {}).get("tools")
    return tools if isinstance(tools, list) else []


def must_call(choice: Any) -> bool:
    """Return whether the model has to call some tool."""
    allowed = _allowed(choice)
    return (allowed.get("mode") if allowed else choice) in ("required", "any")


def chosen(choice: Any, naming: Naming, offered: Collection[str], where: str) -> Any:
    """Return the choice for the provider; None leaves it to the model.

    A tool that was left out because nobody here runs it can't be called, so the model decides.
    Raise `BadRequest` for a function that was not declared, or a form that nobody knows.
    """
    if allowed := _allowed(choice):
        choice = allowed.get("mode")
    if choice is None or choice == "auto":
        return None
    if must_call(choice):
        return "required"
    if not isinstance(choice, dict):
        raise BadRequest(f"{where}: not in the expected form.").at(where)
    if str(choice.get("type", "function")) not in FUNCTION_TYPES:
        return None
    name = _named(choice, naming)
    if name not in offered:
        raise BadRequest(f"{where}: there is no such tool.").at(where)
    return {"type": "function", "function": {"name": name}}


def _allowed(choice: Any) -> dict[str, Any] | None:
    """Return the list of allowed tools with its mode, if that is the form of the choice."""
    if not isinstance(choice, dict) or choice.get("type") != "allowed_tools":
        return None
    inner = choice.get("allowed_tools")
    return inner if isinstance(inner, dict) else choice


def _named(tool: Any, naming: Naming) -> str:
    """Return the name of a tool that a choice names; empty if it is none that models call."""
    if not isinstance(tool, dict):
        return ""
    inner = tool.get("function") or tool.get("custom")
    named = inner if isinstance(inner, dict) else tool
    name, namespace = named.get("name"), named.get("namespace")
    if not isinstance(name, str):
        return ""
    return naming(name, namespace if isinstance(namespace, str) else "")
