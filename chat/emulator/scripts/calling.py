"""Call a tool with arguments that fit its schema."""

import random
from collections.abc import Mapping
from typing import Any

from chat.emulator.requests.json_samples import sample
from chat.emulator.requests.tools import Tool
from chat.emulator.shapes.base import ToolCall


def call(tool: Tool, text: str, rng: random.Random) -> ToolCall:
    """Return a call of `tool`, with `text` for arguments that are strings."""
    text = text or "how high the river stands today"
    arguments = {"query": text}
    if tool.parameters.get("properties"):
        arguments = sample({**tool.parameters, "type": "object"}, text)
    return call_with(tool, arguments, rng)


def call_with(tool: Tool, arguments: Mapping[str, Any], rng: random.Random) -> ToolCall:
    return ToolCall(f"call_{rng.getrandbits(48):012x}", tool.name, dict(arguments))
