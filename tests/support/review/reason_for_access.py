"""Helpers for the tests of the staff's pages."""

from typing import Any

from django.test import AsyncClient


async def begin(client: AsyncClient, reason: str = "A report of today") -> AsyncClient:
    """Enter a reason for access."""
    response = await client.post("/review/reason/", {"reason": reason, "next": "/review/"})
    assert response.status_code == 302
    return client


async def page(client: AsyncClient, path: str, **query: Any) -> str:
    response = await client.get(path, query)
    assert response.status_code == 200, response.content.decode()[:500]
    assert "no-store" in response["Cache-Control"]
    return str(response.content.decode())
