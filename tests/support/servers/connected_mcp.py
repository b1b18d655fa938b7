"""Connect MCP servers as an administrator does, without the pages."""

from collections.abc import Sequence
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.auth.models import Group

from chat.tools.mcp import client, resources, secrets, servers, stored_tools
from chat.tools.mcp.listing import Listing
from chat.tools.mcp.models import McpServer, McpTool


def connected(
    url: str, *names: str, name: str = "Tides", asks: bool = False, groups: Sequence[Group] = ()
) -> McpServer:
    """Connect a server, and switch these tools on; without names, all of them."""
    slug = name.lower()
    server = McpServer.objects.create(
        name=name, slug=slug, address=url, secret=secrets.sealed({"Authorization": "Bearer abc"})
    )
    server.groups.set(groups)
    McpServer.objects.filter(pk=server.pk).update(for_everybody=not groups)
    list_again(server)
    for tool in server.tools.all():
        if not names or tool.name in names:
            stored_tools.switch(tool, is_enabled=True, asks_first=asks, digest=tool.digest)
    servers.refresh()
    return server


def list_again(server: McpServer) -> None:
    endpoint = servers.endpoint_of(server)

    async def listed() -> Listing:
        async with client.session(endpoint, 10) as session:
            return await resources.listing_of(session)

    stored_tools.store(server.pk, async_to_sync(listed)())
    servers.refresh()


async def connect(url: str, *names: str, **values: Any) -> McpServer:
    return await sync_to_async(connected)(url, *names, **values)


async def state_of(name: str) -> tuple[bool, bool]:
    """Return whether a tool is listed, and switched on."""
    tool = await McpTool.objects.aget(name=name)
    return tool.is_listed, tool.is_enabled
