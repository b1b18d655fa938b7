"""Helpers for the tests of versions."""

import json
from typing import Any

from django.test import AsyncClient

from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream

JSON = {"Accept": "application/json"}


async def said(client: AsyncClient, conversation: Any = None, **body: Any) -> dict[str, Any]:
    """Send a message, wait for the end of the answer, and return the IDs."""
    response = await send(client, conversation, **body)
    await read_stream(response)
    return {
        "conversation": response["X-Conversation-Id"],
        "question": int(response["X-Question-Id"]),
        "answer": int(response["X-Message-Id"]),
    }


async def shown(client: AsyncClient, conversation: str, query: str = "") -> dict[str, Any]:
    response = await client.get(f"/chat/{conversation}/{query}", headers=JSON)
    assert response.status_code == 200, response.content
    found: dict[str, Any] = json.loads(response.content)
    return found


def ids(page: dict[str, Any]) -> list[int]:
    return [turn["id"] for turn in page["turns"]]
