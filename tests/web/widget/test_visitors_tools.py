"""Answers to visitors use the tools that the website's owner chose, and no others."""

import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations import tool_permissions
from chat.personas.models import Persona
from chat.widget_sites.models import AnswerMode
from tests.support.generations.stream_reader import Stream, read_stream
from tests.support.widget.visitor_client import Visiting, site_of, visit

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

MODEL = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"
SEARCH = "Search the web for the lighthouse of Lindholm"


async def visiting(owner: User, tools: str, **values: Any) -> Visiting:
    persona = await Persona.objects.acreate(
        owner=owner, name="Guide", model=MODEL, tool_names="calculator remember"
    )
    return await visit(await site_of(owner, persona=persona, tool_names=tools, **values))


async def ask(vera: Visiting, text: str, **more: Any) -> Stream:
    body = {"key": uuid.uuid4().hex, "text": text, **more}
    return await read_stream(await vera.post("messages", body))


async def test_a_visitor_gets_an_answer_with_pages_that_it_cites(alice: User) -> None:
    vera = await visiting(alice, "web_search")
    stream = await ask(vera, SEARCH)
    assert stream.key("tool")["state"] == "done"
    sources = stream.key("sources")
    assert sources[0]["address"].startswith("https://lindholm.example/lighthouse")
    assert "document" not in sources[0]
    assert {each["number"] for each in sources} == {1, 2}  # those that are cited


async def test_the_personas_tools_and_members_own_are_not_for_visitors(alice: User) -> None:
    for tools in ("", "remember search_my_chats"):
        vera = await visiting(alice, tools)
        for text in ("What is 12 * 12?", "remember that I ski", "Search my chats for rivers"):
            assert (await ask(vera, text)).key("tool") is None
    assert not await StoredToolCall.objects.aexists()


async def test_a_visitor_cannot_ask_for_tools(alice: User) -> None:
    vera = await visiting(alice, "")
    response = await vera.post(
        "messages", {"key": uuid.uuid4().hex, "text": SEARCH, "site_tools": ["web_search"]}
    )
    assert response.status_code == 400


async def test_answers_from_pages_only_use_none(alice: User) -> None:
    vera = await visiting(alice, "web_search", answer_mode=AnswerMode.ONLY)
    assert (await ask(vera, SEARCH)).key("tool") is None


async def test_what_the_owner_may_not_use_visitors_may_not_either(alice: User) -> None:
    pupils = await Group.objects.acreate(name="Pupils")
    await sync_to_async(tool_permissions.set_for)(pupils, ["calculator"])
    await alice.groups.aadd(pupils)
    vera = await visiting(alice, "web_search calculator")
    assert (await ask(vera, SEARCH)).key("tool") is None
    assert (await ask(vera, "What is 12 * 12?")).key("tool")["state"] == "done"


async def test_an_owner_chooses_among_what_visitors_may_use(
    alice: User, alice_client: AsyncClient
) -> None:
    page = (await alice_client.get("/sites/new/")).content.decode()
    assert 'value="web_search"' in page
    assert 'value="remember"' not in page
