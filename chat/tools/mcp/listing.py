"""Read how a server describes its tools, and identify a description by its digest.

What the administrator sees is what models read: text that no person would see is removed, and a
tool that is too large to be read is left out.
"""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Raw

from chat.lib.text import one_line
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.models import FUNCTION_LENGTH, TOOL_NAME_LENGTH
from chat.tools.mcp.protocol import ToolListing, decoded

MAX_TOOLS = 100  # of one server
MAX_DESCRIPTION_CHARS = 4000
MAX_SCHEMA_BYTES = 20_000
MAX_SCHEMA_DEPTH = 30
DIGEST_CHARS = 8
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A tool as its server describes it."""

    name: str
    description: str
    schema: Mapping[str, Any]
    says_read_only: bool = False

    @property
    def digest(self) -> str:
        """Return what identifies all that a model reads of the tool."""
        parts = [self.name, self.description, self.schema]
        return sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()


@dataclass(frozen=True, slots=True)
class Listing:
    """The tools of a server, and how many were left out: see the limits."""

    tools: tuple[ListedTool, ...]
    left_out: int = 0


async def read_all(described: AsyncGenerator[Raw]) -> Listing:
    tools: dict[str, ListedTool] = {}
    left_out = 0
    async for each in described:
        tool = read(each)
        if tool is None or tool.name in tools or len(tools) == MAX_TOOLS:
            left_out += 1
        else:
            tools[tool.name] = tool
    return Listing(tuple(tools.values()), left_out)


async def find(described: AsyncGenerator[Raw], name: str) -> ListedTool | None:
    """Return the first tool with this name, as `read_all` would."""
    async with aclosing(described):
        async for each in described:
            tool = read(each)
            if tool and tool.name == name:
                return tool
    return None


def read(described: Raw) -> ListedTool | None:
    """Return a tool; None if it isn't one, or too large."""
    try:
        listed: ToolListing = decoded(described, ToolListing)
        if len(bytes(listed.inputSchema)) > MAX_SCHEMA_BYTES:
            return None
        schema = decoded(listed.inputSchema, dict[str, Any])
    except McpError:
        return None
    name = listed.name
    description = _visible(listed.description or "")
    if (
        not 0 < len(name) <= TOOL_NAME_LENGTH
        or name != one_line(name)
        or len(description) > MAX_DESCRIPTION_CHARS
        or not _is_flat(schema, MAX_SCHEMA_DEPTH)
        or schema.get("type") != "object"
    ):
        return None
    says_read_only = bool(listed.annotations and listed.annotations.readOnlyHint)
    return ListedTool(name, description, _visible_json(schema), says_read_only)


def function_name(slug: str, tool: str) -> str:
    """Return the tool's name for models, which is the same each time.

    One that doesn't fit, or has other characters, ends in a digest, so that no two are the same.
    """
    name = f"{slug}__{tool}"
    if len(name) <= FUNCTION_LENGTH and not _NOT_IN_NAMES.search(name):
        return name
    digest = sha256(tool.encode()).hexdigest()[:DIGEST_CHARS]
    head = _NOT_IN_NAMES.sub("_", name)[: FUNCTION_LENGTH - DIGEST_CHARS - 1]
    return f"{head}_{digest}"


def _visible(text: str) -> str:
    """Return the text without characters that no person sees."""
    return "\n".join(map(one_line, text.splitlines())).strip()


def _visible_json(value: Any) -> Any:
    """Return JSON whose texts are visible. The names of arguments stay as they are."""
    if isinstance(value, str):
        return _visible(value)
    if isinstance(value, list):
        return [_visible_json(each) for each in value]
    if isinstance(value, dict):
        return {_name(key): _visible_json(each) for key, each in value.items()}
    return value


def _name(key: str) -> str:
    return key if key.isprintable() else one_line(key)


def _is_flat(value: Any, depth: int) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return True
    return depth > 0 and all(_is_flat(each, depth - 1) for each in value)
