"""Helpers for the tests of following streams."""

import asyncio
import uuid
from typing import Any

from django.test import AsyncClient

from chat.generations.task import registry
from chat.generations.task.task import GenerationTask
from tests.support.upstream.raw_upstream import EVENT_STREAM, Handler, chunk


def endless() -> Handler:
    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(EVENT_STREAM)
        while not writer.is_closing():
            writer.write(chunk(b'data: {"response":"word "}\n\n'))
            await writer.drain()
            await asyncio.sleep(0.005)

    return handler


async def follow(client: AsyncClient, generation_id: str, after: Any = None, **headers: str) -> Any:
    query = "" if after is None else f"?after={after}"
    return await client.get(f"/generations/{generation_id}/stream{query}", headers=headers)


def live(response: Any) -> GenerationTask:
    generation = registry.find(uuid.UUID(response["X-Generation-Id"]))
    assert generation
    return generation
