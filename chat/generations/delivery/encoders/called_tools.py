"""Tell a program of its model's tool calls in the form in which it declared the tools.

To the model, every tool is a function with a name of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Raw, Struct

#: The parameter of the function that stands for a tool whose input is text.
INPUT = "input"
NO_INPUT = Raw(b"{}")


class _Input(Struct):
    input: str


@dataclass(frozen=True, slots=True)
class ToolForms:
    """The tools that are no plain functions to the program, by the names that the model knows.

    `custom` ones take text. `namespaces` has the namespace of a function and its name there. With
    `is_old`, the program knows functions only in the form that OpenAI had before tools.
    """

    custom: frozenset[str] = frozenset()
    namespaces: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    is_old: bool = False

    def place_of(self, name: str) -> dict[str, str]:
        """Return the tool's name as the program knows it, and its namespace if it has one."""
        namespace, inner = self.namespaces.get(name, ("", name))
        return {"namespace": namespace, "name": inner} if namespace else {"name": name}


FUNCTIONS = ToolForms()


def input_of(arguments: str) -> str:
    """Return the text for a custom tool; some models write it without the object around it."""
    try:
        return msgspec.json.decode(arguments, type=_Input).input
    except (msgspec.DecodeError, RecursionError):
        return arguments


def object_in(text: str) -> Raw | None:
    """Return `text` as JSON if it is an object; numbers keep their spelling."""
    return _json_in(text, dict[str, Any])


def json_in(text: str) -> Raw | None:
    """Return `text` as JSON if it is some that every reader takes: no NaN, no half characters."""
    return _json_in(text, Any)


def _json_in(text: str, shape: Any) -> Raw | None:
    try:
        msgspec.json.decode(text, type=shape)
    except (msgspec.DecodeError, RecursionError):
        return None
    return Raw(text.encode())
