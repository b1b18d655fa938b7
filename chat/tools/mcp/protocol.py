"""The messages of the Model Context Protocol that are needed to list and call tools. Pure.

They are decoded into these types only. What else a server sends is skipped and takes no memory.
https://modelcontextprotocol.io/specification/2025-11-25
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from chat.tools.mcp.errors import McpError
from chat.version import VERSION

#: The newest version, and all that have this transport and these messages.
VERSION_ASKED = "2025-11-25"
VERSIONS = frozenset({VERSION_ASKED, "2025-06-18", "2025-03-26"})
METHOD_NOT_FOUND = -32601
MAX_DETAIL_CHARS = 300


class RpcError(Struct):
    code: int = 0
    message: str = ""


class Message(Struct):
    """A message of the server: an answer to ours, or a request or notification of its own."""

    id: int | str | None = None
    method: str | None = None
    result: Raw | UnsetType = UNSET
    error: RpcError | None = None

    @property
    def is_request(self) -> bool:
        return self.method is not None and self.id is not None


class Initialized(Struct):
    protocolVersion: str  # noqa: N815  (as in the protocol)


class Hints(Struct):
    readOnlyHint: bool | None = None  # noqa: N815


class ToolListing(Struct):
    name: str
    inputSchema: Raw  # noqa: N815
    description: str | None = None
    annotations: Hints | None = None


class ToolPage(Struct):
    tools: list[Raw]
    nextCursor: str | None = None  # noqa: N815


class Resource(Struct):
    uri: str = ""
    text: str | None = None


class ResultPart(Struct):
    """A part of a result: a text, a picture, a sound, a resource, or a link to one."""

    type: str
    text: str = ""
    uri: str = ""
    name: str = ""
    resource: Resource | None = None


class CallResult(Struct):
    content: list[ResultPart] = []
    structuredContent: Raw = Raw(b"null")  # noqa: N815
    isError: bool = False  # noqa: N815


def request(number: int, method: str, parameters: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(
        {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
    )


def notification(method: str) -> bytes:
    return msgspec.json.encode({"jsonrpc": "2.0", "method": method})


def reply(message: Message) -> bytes:
    """Answer a request of the server. It gets nothing but a sign of life."""
    if message.method == "ping":
        return msgspec.json.encode({"jsonrpc": "2.0", "id": message.id, "result": {}})
    error = {"code": METHOD_NOT_FOUND, "message": "This client offers nothing to servers."}
    return msgspec.json.encode({"jsonrpc": "2.0", "id": message.id, "error": error})


def introduction() -> dict[str, Any]:
    """Return what the client says of itself: it has no capabilities."""
    return {
        "protocolVersion": VERSION_ASKED,
        "capabilities": {},
        "clientInfo": {"name": "runnel", "version": VERSION},
    }


def decoded(data: bytes | str | Raw, kind: Any) -> Any:
    """Return JSON as a type. Raise `McpError` if it isn't that."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise McpError("garbage") from None
