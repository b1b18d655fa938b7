"""The menu of tools shows what a chat may use, and new chats begin with the member's choice."""

import re

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient, override_settings

from chat.accounts.models import User
from chat.personas.models import Persona
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream

MODEL = "@cf/openai/gpt-oss-20b"
BOX = re.compile(r'name="site_tools" value="(\w+)"[^>]*?(checked)?\s*(disabled)?>')


async def boxes(client: AsyncClient, query: str = "", path: str = "/chat/") -> dict[str, str]:
    """Return the tools of a page's menu, and whether each is on, or always on."""
    page = (await client.get(f"/chat/tools/{query}", headers=shown(path))).content.decode()
    return {name: " ".join(filter(None, marks)) for name, *marks in BOX.findall(page)}


def shown(path: str) -> dict[str, str]:
    """Return the header of a request by htmx from this page."""
    return {"HX-Current-URL": f"http://testserver{path}"}


async def test_nothing_is_on_at_first(alice_client: AsyncClient) -> None:
    assert set((await boxes(alice_client)).values()) == {""}


async def test_a_chat_shows_what_it_uses(alice_client: AsyncClient) -> None:
    sent = await send(alice_client, text="Hello", site_tools=["calculator"], model=MODEL)
    await read_stream(sent)
    path = f"/chat/{sent['X-Conversation-Id']}/"
    tools = await boxes(alice_client, path=path)
    assert [name for name, marks in tools.items() if marks] == ["calculator"]
    assert await boxes(alice_client, "?tools_shown=yes", f"{path}?at=1") == {}  # as ticked there
    page = await alice_client.get(path)
    assert '<bdi class="truncate" data-part="names">Calculate</bdi>' in page.content.decode()


async def test_new_chats_begin_with_the_members_choice(
    alice: User, alice_client: AsyncClient
) -> None:
    await alice_client.post("/settings/personalization/", {"default_tools": ["calculator"]})
    assert (await boxes(alice_client))["calculator"] == "checked"
    stream = await read_stream(await send(alice_client, text="What is 12 * 12?", model=MODEL))
    assert stream.key("tool")["state"] == "done"


async def test_a_persona_brings_its_tools(alice: User, alice_client: AsyncClient) -> None:
    persona = await Persona.objects.acreate(owner=alice, name="Clerk", tool_names="calculator")
    tools = await boxes(alice_client, f"?persona={persona.pk}")
    assert tools["calculator"] == "checked disabled"
    sent = await send(alice_client, text="What is 12 * 12?", persona=str(persona.pk), model=MODEL)
    assert (await read_stream(sent)).key("tool")["state"] == "done"


async def test_a_personas_form_keeps_its_tools(alice: User, alice_client: AsyncClient) -> None:
    fields = {"name": "Clerk", "shared": "", "tool_names": ["calculator", "current_time"]}
    await alice_client.post("/personas/new/", fields)
    persona = await Persona.objects.aget()
    assert persona.tool_names == "calculator current_time"
    page = (await alice_client.get(f"/personas/{persona.pk}/")).content.decode()
    assert page.count("checked") >= 2


async def test_a_model_without_tools_is_named(alice_client: AsyncClient) -> None:
    page = await alice_client.get("/chat/tools/?model=@cf/meta/llama-3.1-8b-instruct-fast")
    assert (
        "can&#x27;t use tools" in page.content.decode()
        or "can't use tools" in page.content.decode()
    )
    assert (
        "can't use tools"
        not in (await alice_client.get(f"/chat/tools/?model={MODEL}")).content.decode()
    )


async def test_a_strangers_chat_has_no_menu(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    sent = await send(alice_client, text="Hello")
    await read_stream(sent)
    theirs = shown(f"/chat/{sent['X-Conversation-Id']}/")
    assert (await bob_client.get("/chat/tools/", headers=theirs)).status_code == 404
    assert (await bob_client.get("/chat/tools/?persona=1")).status_code == 404
    for address in ("[", "/chat/guess/", f"/review{theirs['HX-Current-URL'][17:]}"):
        response = await bob_client.get("/chat/tools/", headers={"HX-Current-URL": address})
        assert response.status_code == 200


@pytest.mark.parametrize("tools", [(), ("calculator",)])
async def test_the_site_decides_what_there_is(
    alice: User, alice_client: AsyncClient, tools: tuple[str, ...]
) -> None:
    alice.preferences = {"default_tools": "current_time calculator"}
    await sync_to_async(alice.save)()
    with override_settings(TOOLS=tools):
        page = (await alice_client.get("/chat/")).content.decode()
        assert ('id="tool-menu"' in page) == bool(tools)
        assert list(await boxes(alice_client)) == list(tools)
        stream = await read_stream(await send(alice_client, text="What is 12 * 12?", model=MODEL))
        assert ("144" in stream.text) == bool(tools)


async def test_a_temporary_chat_offers_nothing_that_has_to_ask(
    alice: User, alice_client: AsyncClient
) -> None:
    assert "remember" in await boxes(alice_client)
    assert "remember" not in await boxes(alice_client, path="/chat/temporary/")
    alice.preferences = {"default_tools": "remember calculator"}
    await alice.asave()
    for path, is_named in (("/chat/", True), ("/chat/temporary/", False)):
        page = (await alice_client.get(path)).content.decode()
        assert ("Remember things for later chats" in page) == is_named
