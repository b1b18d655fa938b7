"""Have a model call a tool of an MCP server, and decide about the call."""

from typing import Any

from django.test import AsyncClient

from chat.conversations.tool_calls.models import StoredToolCall
from tests.support.generations.send import send
from tests.support.generations.stream_reader import Stream, read_stream

MODEL = "@cf/openai/gpt-oss-20b"
CHOICE = "mcp:tides"


async def ask(client: AsyncClient, text: str, *chosen: str, **more: Any) -> Stream:
    response = await send(client, text=text, site_tools=chosen or (CHOICE,), model=MODEL, **more)
    return await read_stream(response)


async def call() -> StoredToolCall:
    return await StoredToolCall.objects.select_related("message").alatest("proposed_at")


async def decide(client: AsyncClient, one: StoredToolCall, **more: Any) -> None:
    body = {"is_allowed": True, **more}
    place = f"/chat/tool-calls/{one.pk}/decision"
    response = await client.post(place, body, content_type="application/json")
    assert response.status_code == 200, response.content


async def resume(client: AsyncClient, one: StoredToolCall) -> Stream:
    response = await send(client, one.message.conversation_id, resume=one.message_id)
    return await read_stream(response)
