"""Helpers for the tests of sending."""

import uuid
from typing import Any

from django.test import AsyncClient

from chat.conversations.models import Message
from chat.generations.models import Generation

DONE = b"data: [DONE]\n\n"


def key() -> str:
    return uuid.uuid4().hex


async def send(client: AsyncClient, conversation: Any = None, **body: Any) -> Any:
    path = f"/chat/{conversation}/messages" if conversation else "/chat/messages"
    body = {"key": key(), **body}
    return await client.post(path, data=body, content_type="application/json")


async def stored(response: Any) -> tuple[Generation, Message]:
    generation = await Generation.objects.aget(id=response["X-Generation-Id"])
    return generation, await Message.objects.aget(id=response["X-Message-Id"])
