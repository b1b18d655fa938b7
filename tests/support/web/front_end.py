"""Simulate a website's page that requests answers itself, as its browser would."""

import json
from typing import Any
from urllib.parse import urlencode

from django.test import AsyncClient

from chat.widget_sites.models import WidgetSite
from tests.support.widget.visitor_client import HOST

HELLO = {"messages": [{"role": "user", "content": "Hello"}]}


class FrontEnd:
    """`origin` is the page's; `address` is the client's, as set by a trusted proxy."""

    def __init__(self, site: WidgetSite | str, origin: str = HOST, address: str = "") -> None:
        self.client = AsyncClient()
        self.key = site if isinstance(site, str) else site.key
        self.headers = {"Origin": origin} if origin else {}
        if address:
            self.headers["X-Forwarded-For"] = address

    async def post(self, path: str = "chat", body: Any = HELLO, **headers: str) -> Any:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self.client.generic(
            "POST",
            f"/w/{self.key}/{path}",
            raw,
            "application/json" if raw else "",
            headers={**self.headers, **headers},
        )

    async def get(self, path: str = "chat", **query: str) -> Any:
        """Request like an EventSource."""
        return await self.fetch(path, query, Accept="text/event-stream")

    async def fetch(
        self, path: str = "chat", query: dict[str, str] | None = None, **headers: str
    ) -> Any:
        url = f"/w/{self.key}/{path}"
        if query:
            url = f"{url}?{urlencode(query)}"
        return await self.client.get(url, headers={**self.headers, **headers})

    async def preflight(self, path: str, method: str = "POST", asked: str = "content-type") -> Any:
        wanted = {
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": asked,
        }
        return await self.client.options(f"/w/{self.key}/{path}", headers=self.headers | wanted)


async def body_of(response: Any) -> bytes:
    """Return the whole streamed body; raises the exception that aborted it, if any."""
    return b"".join([chunk async for chunk in response.streaming_content])
