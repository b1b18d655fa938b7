"""Offer the resources of a server, such as files and records, as two tools: to list, and to read.

They are switched on, changed and asked about like the server's own tools. A tool of the server with
the same name comes first.
"""

from contextlib import aclosing
from typing import Any

from msgspec import Raw

from chat.tools.mcp import listing
from chat.tools.mcp.client import McpSession
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.listing import ListedTool, Listing
from chat.tools.mcp.protocol import CallResult, Resource, ResourceListing, ResultPart, decoded

MAX_LISTED = 200
LIST = ListedTool(
    "list_resources",
    "List the resources of this server, such as files and records, with their addresses.",
    {"type": "object", "properties": {}},
    says_read_only=True,
)
READ = ListedTool(
    "read_resource",
    "Read a resource of this server by its address, as list_resources returns it.",
    {
        "type": "object",
        "properties": {"uri": {"type": "string", "description": "The resource's address."}},
        "required": ["uri"],
    },
    says_read_only=True,
)
TOOLS = (LIST, READ)


async def listing_of(session: McpSession) -> Listing:
    """Return the tools of a server, with ours if it has resources."""
    found = await listing.read_all(session.tools())
    names = {each.name for each in found.tools}
    ours = [each for each in await _offered(session) if each.name not in names]
    room = listing.MAX_TOOLS - len(found.tools)
    return Listing((*found.tools, *ours[:room]), found.left_out)


async def find(session: McpSession, name: str) -> ListedTool | None:
    """Return the tool with this name, as `listing_of` would."""
    found = await listing.find(session.tools(), name)
    if found is None and name in {each.name for each in TOOLS}:
        found = next((each for each in await _offered(session) if each.name == name), None)
    return found


async def _offered(session: McpSession) -> tuple[ListedTool, ...]:
    """Return our tools if the server has resources, and lists at least one."""
    if not session.has_resources:
        return ()
    try:
        async with aclosing(session.resources()) as resources:
            async for _ in resources:
                return TOOLS
    except McpError as error:
        if error.reason != "error":  # it says that it has some, and has none
            raise
    return ()


async def call(session: McpSession, tool: ListedTool, arguments: Raw) -> CallResult:
    """Call a tool of a server, or one of ours for its resources."""
    if tool == LIST:
        return await _list(session)
    if tool == READ:
        return _parts(await session.read_resource(_uri(arguments)))
    return await session.call(tool.name, arguments)


async def _list(session: McpSession) -> CallResult:
    lines: list[str] = []
    async with aclosing(session.resources()) as resources:
        async for each in resources:
            if len(lines) == MAX_LISTED:
                lines.append("(There are more.)")
                break
            lines.append(_line(decoded(each, ResourceListing)))
    return CallResult([ResultPart("text", "\n".join(lines))])


def _line(listed: ResourceListing) -> str:
    about = [listed.title or listed.name or "", listed.description or "", listed.mimeType or ""]
    return " – ".join([listed.uri, *filter(None, about)])


def _parts(contents: list[Resource]) -> CallResult:
    return CallResult([_part(each) for each in contents])


def _part(content: Resource) -> ResultPart:
    if content.blob is not None and (content.mimeType or "").startswith("image/"):
        return ResultPart("image", data=content.blob)
    return ResultPart("resource", resource=content)


def _uri(arguments: Raw) -> str:
    values: dict[str, Any] = decoded(arguments, dict[str, Any])
    uri = values.get("uri")
    if not isinstance(uri, str):
        raise McpError("error", "The argument uri is missing.")
    return uri
