"""What tests of pages share with others."""

from typing import Any

from django.test import AsyncClient


async def begin(client: AsyncClient, reason: str = "A report of today") -> AsyncClient:
    """They said why they look."""
    response = await client.post("/review/reason/", {"reason": reason, "next": "/review/"})
    assert response.status_code == 302
    return client


async def page(client: AsyncClient, path: str, **query: Any) -> str:
    response = await client.get(path, query)
    assert response.status_code == 200, response.content.decode()[:500]
    assert "no-store" in response["Cache-Control"]
    return str(response.content.decode())
