"""What somebody else asked in a chat that a member has copied names no pages to read."""

import json

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.conversations.tool_calls.models import StoredToolCall
from chat.sharing.models import SharedLink
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always, in_turn, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.web.asked_models import AYE

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

MODEL = "@cf/openai/gpt-oss-20b"
PAGE = "https://lindholm.example/lighthouse"
QUESTION = f"How high is the lighthouse? {PAGE}"


async def ask(client: AsyncClient, chat: str | None = None, **body: object) -> str:
    """Return the chat after a question that reads nothing."""
    async with site_with(always(AYE), WEB_SEARCH="emulator"):
        answer = await send(client, chat, model=MODEL, site_tools=["web_search"], **body)
        await read_stream(answer)
    return str(answer["X-Conversation-Id"])


async def read_page(client: AsyncClient, chat: str, **body: object) -> tuple[str, str]:
    """Have a model read the page; return the state of its call, and the problem."""
    arguments = json.dumps({"address": PAGE, "query": "height"})
    function = {"name": "fetch_page", "arguments": arguments}
    call = {"index": 0, "id": "a", "type": "function", "function": function}
    choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}
    obeying = stream_of(f"data: {json.dumps({'choices': [choice]})}\n\n".encode(), DONE)
    async with site_with(in_turn(obeying, AYE), WEB_SEARCH="emulator"):
        answer = await send(client, chat, model=MODEL, site_tools=["web_search"], **body)
        await read_stream(answer)
    made = await StoredToolCall.objects.aget(message=int(answer["X-Message-Id"]))
    return made.state, made.problem


async def copy_of_alices(alice_client: AsyncClient, client: AsyncClient) -> str:
    chat = await ask(alice_client, text=QUESTION)
    last = await Message.objects.filter(role="assistant").alatest("pk")
    await alice_client.post(f"/chat/{chat}/sharing/", {"last": last.pk})
    link = await SharedLink.objects.aget()
    place = (await client.post(f"/s/{link.token}/continuation/"))["Location"]
    return str(place.split("/")[2])


async def test_a_copied_question_names_no_page(
    alice: User, bob: User, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    chat = await copy_of_alices(alice_client, bob_client)
    assert await read_page(bob_client, chat, text="And now?") == ("failed", "unknown_address")
    answer = await Message.objects.filter(conversation=chat, role="assistant").aearliest("pk")
    again = await read_page(bob_client, chat, retry=answer.pk)
    assert again == ("failed", "unknown_address")
    assert await read_page(bob_client, chat, text=f"Read {PAGE}") == ("done", "")


async def test_a_copy_of_an_own_chat_does(
    alice: User, bob: User, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    chat = await copy_of_alices(alice_client, alice_client)
    assert await read_page(alice_client, chat, text="And now?") == ("done", "")
