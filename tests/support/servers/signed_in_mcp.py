"""Sign in to an MCP server, without the pages."""

from urllib.parse import parse_qsl, urlsplit

import httpx
from asgiref.sync import sync_to_async

from chat.tools.mcp.models import McpServer
from chat.tools.mcp.sign_in import flow, grants
from tests.support.servers.tides_server import RunningServer

RETURN = "http://127.0.0.1:8000/review/site/tools/signed-in/"


async def signed_in_to(tides: RunningServer) -> McpServer:
    """Connect a server and sign in to it."""
    server = await McpServer.objects.acreate(name="Tides", slug="tides", address=tides.url)
    pending, address = await flow.begin(
        tides.url, None, site_name="Runnel", return_address=RETURN, reason="It was agreed so"
    )
    async with httpx.AsyncClient() as browser:
        response = await browser.get(address)
    answer = dict(parse_qsl(urlsplit(response.headers["Location"]).query))
    await sync_to_async(grants.begin)(server.pk, pending)
    grant = await flow.finish(tides.url, pending, answer, RETURN)
    await sync_to_async(grants.store)(server.pk, grant)
    return server
