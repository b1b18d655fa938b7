"""Make tools of the chat of those that MCP servers have."""

from collections.abc import Iterable
from functools import partial

from msgspec import Raw

from chat.database import threads
from chat.tools.mcp import client, resources, results, servers, stored_tools
from chat.tools.mcp.errors import NOT_REACHED, McpError
from chat.tools.mcp.servers import KnownTool
from chat.tools.tool import ChatTool, ToolContext, ToolFailed, ToolResult

#: Of all servers, for one answer.
MAX_OFFERED = 40
#: Of their descriptions and schemas: what each request to the model costs more.
MAX_OFFERED_CHARS = 60_000


def usable(wanted: Iterable[str], user_id: int) -> dict[str, ChatTool]:
    """Return the tools of the wanted servers that the member may use, within the limits."""
    chosen = set(wanted)
    found: dict[str, ChatTool] = {}
    room = MAX_OFFERED_CHARS
    for server in servers.for_member(user_id) if servers.known() else ():
        for each in server.tools if server.choice in chosen else ():
            tool = _chat_tool(each)
            room -= len(str(tool.as_function()))
            if len(found) == MAX_OFFERED or room < 0:
                return found
            found[tool.name] = tool
    return found


def named(functions: Iterable[str]) -> dict[str, ChatTool]:
    """Return the tools with these names for models."""
    return {name: _chat_tool(tool) for name, (_, tool) in servers.named(functions).items()}


def _chat_tool(tool: KnownTool) -> ChatTool:
    return ChatTool(
        tool.function,
        tool.description,
        tool.schema,
        partial(_run, tool.id),
        has_effects=tool.asks_first,
        identity=tool.identity,
    )


async def _run(tool_id: int, context: ToolContext, arguments: Raw) -> ToolResult:
    """Call the tool, if it is still the one that the administrator has switched on."""
    tool = await threads.readers.run(servers.callable_tool, tool_id, context.principal.user_id)
    if tool is None:
        raise ToolFailed("This tool has been switched off.", "tool_off")
    try:
        async with client.session(tool.endpoint, client.CALL_SECONDS) as session:
            listed = await resources.find(session, tool.name)
            if listed is None or listed.digest != tool.digest:
                await threads.writer.run(stored_tools.switch_off, tool_id, listed)
                raise ToolFailed(
                    "This tool has changed, so it is off until an administrator has looked at it.",
                    "tool_changed",
                )
            result = await resources.call(session, listed, arguments)
    except McpError as error:
        raise _failed(error) from error
    if result.isError:
        raise ToolFailed(results.error_of(result))
    return ToolResult(results.text_of(result), images=results.images_of(result))


def _failed(error: McpError) -> ToolFailed:
    if error.reason == "error" and error.detail:
        return ToolFailed(results.failure(error.detail))
    if error.reason == "timeout":
        return ToolFailed(error.words, "timeout")
    problem = "no_server" if error.reason in NOT_REACHED else "bad_server"
    return ToolFailed(error.words, problem)
