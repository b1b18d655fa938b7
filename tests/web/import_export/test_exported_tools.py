"""Calls of tools are part of a chat's export, and an import shows them without running them."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.tool_calls.models import StoredToolCall
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.web.exports import body

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

MODEL = "@cf/openai/gpt-oss-20b"


async def exported(client: AsyncClient, text: str, tool: str) -> dict[str, Any]:
    response = await send(client, text=text, site_tools=[tool], model=MODEL)
    await read_stream(response)
    file = await client.get(f"/chat/{response['X-Conversation-Id']}/export.json")
    document: dict[str, Any] = json.loads(await body(file))
    return document


async def test_a_call_is_in_the_file_and_in_the_chat_that_is_made_from_it(
    alice: User, alice_client: AsyncClient
) -> None:
    text = "Search the web for the lighthouse of Lindholm"
    document = await exported(alice_client, text, "web_search")
    (call,) = document["messages"][1]["tools"]
    assert (call["tool"], call["state"], call["count"]) == ("web_search", "done", 3)
    sources = document["messages"][1]["sources"]
    assert sources[0]["address"] == "https://lindholm.example/lighthouse"
    upload = SimpleUploadedFile("chat.json", json.dumps(document).encode())
    await alice_client.post("/settings/import/", {"file": upload})
    first, second = [each async for each in StoredToolCall.objects.order_by("message")]
    assert (second.tool, second.state, second.result) == (first.tool, first.state, first.result)


async def test_a_call_that_waits_is_exported_as_interrupted(
    alice: User, alice_client: AsyncClient
) -> None:
    document = await exported(alice_client, "remember that I ski", "remember")
    (call,) = document["messages"][1]["tools"]
    assert call["state"] == "failed"
