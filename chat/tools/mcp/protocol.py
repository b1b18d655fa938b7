"""The messages of the Model Context Protocol that are needed to list and call tools. Pure.

They are decoded into these types only. What else a server sends is skipped and takes no memory.
https://modelcontextprotocol.io/specification/2025-11-25
"""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from chat.lib.text import one_line
from chat.tools.mcp.errors import McpError
from chat.version import VERSION

#: The newest version with a handshake, and all that have this transport and these messages.
VERSION_ASKED = "2025-11-25"
VERSIONS = frozenset({VERSION_ASKED, "2025-06-18", "2025-03-26"})
#: It has no handshake: each request says who asks, and is answered by itself.
STATELESS_VERSION = "2026-07-28"
METHOD_NOT_FOUND = -32601
UNSUPPORTED_VERSION = -32022
#: Parameters that headers repeat, by method.
NAMES = {"tools/call": "name", "resources/read": "uri"}
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


class Capabilities(Struct, frozen=True):
    resources: dict[str, Raw] | None = None


class Initialized(Struct):
    protocolVersion: str  # noqa: N815  (as in the protocol)
    capabilities: Capabilities = Capabilities()


class Hints(Struct):
    readOnlyHint: bool | None = None  # noqa: N815


class ToolListing(Struct):
    name: str
    inputSchema: Raw  # noqa: N815
    description: str | None = None
    annotations: Hints | None = None


class Page(Struct):
    """A part of a list; the next one has this cursor."""

    nextCursor: str | None = None  # noqa: N815


class ToolPage(Struct):
    tools: list[Raw]


class Discovered(Struct):
    """What a server says of itself without a handshake."""

    supportedVersions: list[str]  # noqa: N815
    capabilities: Capabilities = Capabilities()


class ResultKind(Struct):
    resultType: str = "complete"  # noqa: N815


class ResourceListing(Struct):
    uri: str
    name: str | None = None
    title: str | None = None
    description: str | None = None
    mimeType: str | None = None  # noqa: N815


class ResourcePage(Struct):
    resources: list[Raw]


class Resource(Struct):
    uri: str = ""
    text: str | None = None
    blob: str | None = None  # in base64
    mimeType: str | None = None  # noqa: N815


class ResourceContents(Struct):
    contents: list[Resource]


class ResultPart(Struct):
    """A part of a result: a text, a picture, a sound, a resource, or a link to one."""

    type: str
    text: str = ""
    data: str = ""  # of a picture or a sound, in base64
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


def envelope() -> dict[str, Any]:
    """Return what each request says of the client, if there was no handshake."""
    said = introduction()
    start = "io.modelcontextprotocol/"
    meta = {
        f"{start}protocolVersion": STATELESS_VERSION,
        f"{start}clientInfo": said["clientInfo"],
        f"{start}clientCapabilities": said["capabilities"],
    }
    return {"_meta": meta}


def routing_headers(method: str, parameters: Mapping[str, Any]) -> dict[str, str]:
    """Return headers that repeat what a request is about, so that nobody need read its body."""
    headers = {"Mcp-Method": method}
    if method in NAMES:
        name = str(parameters[NAMES[method]])
        is_plain = name.isascii() and name.isprintable() and name == name.strip()
        if not is_plain or name.startswith("=?"):
            name = f"=?base64?{b64encode(name.encode()).decode()}?="
        headers["Mcp-Name"] = name
    return headers


def decoded(data: bytes | str | Raw, kind: Any) -> Any:
    """Return JSON as a type. Raise `McpError` if it isn't that."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise McpError("garbage") from None


def shown_detail(text: str) -> str:
    """Return a server's words as one short line."""
    return one_line(text[: 2 * MAX_DETAIL_CHARS])[:MAX_DETAIL_CHARS]
