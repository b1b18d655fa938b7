"""Connect MCP servers, and switch their tools, as an administrator does in the pages."""

import re
from typing import Any

from django.test import Client

from chat.tools.mcp import servers
from chat.tools.mcp.models import McpTool
from tests.support.review.member_pages import text_of

PAGE, NEW = "/review/site/tools/", "/review/site/tools/new/"


def values(url: str, **more: Any) -> dict[str, Any]:
    return {"name": "Tides", "address": url, "is_enabled": "on", **more}


def added(client: Client, url: str, **more: Any) -> str:
    """Connect a server; return its page."""
    response = client.post(NEW, values(url, **more))
    assert response.status_code == 302, response.content.decode()
    return str(response["Location"])


def seen(client: Client, page: str) -> list[str]:
    """Return which descriptions the page shows, as its form sends them."""
    return re.findall(r'name="seen" value="([^"]+)"', text_of(client, page))


def switch(
    client: Client, page: str, *names: str, asking: tuple[str, ...] = (), **more: Any
) -> Any:
    ids = dict(McpTool.objects.values_list("name", "pk"))
    sent = {
        "seen": seen(client, page),
        "enabled": [ids[each] for each in names],
        "asks_first": [ids[each] for each in asking],
        **more,
    }
    return client.post(f"{page}tools/", sent)


def offered() -> list[str]:
    return [tool.function for server in servers.known() for tool in server.tools]
