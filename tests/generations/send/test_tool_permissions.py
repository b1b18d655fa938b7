"""A permission is for a tool of a server as it was described, not for whatever gets its name."""

from importlib import import_module
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.apps import apps
from django.test import AsyncClient

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.conversations.models import Conversation
from chat.conversations.tool_calls.models import StoredToolCall
from chat.tools.mcp import servers, stored_tools
from chat.tools.mcp.models import McpServer, McpTool
from tests.support.generations.mcp_calls import CHOICE, ask, call, decide, resume
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.servers.connected_mcp import connect
from tests.support.servers.tides_server import RunningServer

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

BOOK = "tides__book"


async def allow(client: AsyncClient, scope: str) -> StoredToolCall:
    await ask(client, f"/tool {BOOK} Ada")
    one = await call()
    await decide(client, one, scope=scope)
    await resume(client, one)
    return one


async def another_server_gets_the_name(server: McpServer, url: str) -> None:
    await server.adelete()
    await connect(url, asks=True)


@sync_to_async
def description_is_confirmed(description: str) -> None:
    tool = McpTool.objects.get(name="book")
    tool.description, tool.digest = description, "5" * 64
    stored_tools.switch(tool, is_enabled=True, asks_first=True, digest=tool.digest)
    servers.refresh()


async def test_an_allowed_tool_isn_t_asked_about(
    alice: User, alice_client: AsyncClient, tides: RunningServer
) -> None:
    await connect(tides.url, asks=True)
    await allow(alice_client, "always")
    await ask(alice_client, f"/tool {BOOK} Bea")
    assert [each["boat"] for each in tides.called] == ["Ada", "Bea"]
    page = (await alice_client.get("/settings/personalization/")).content.decode()
    assert "Tides: book" in page


@pytest.mark.parametrize("scope", ["chat", "always"])
async def test_another_server_with_its_name_has_no_permission(
    alice_client: AsyncClient, tides: RunningServer, scope: str
) -> None:
    server = await connect(tides.url, asks=True)
    one = await allow(alice_client, scope)
    await another_server_gets_the_name(server, tides.url)
    chat = one.message.conversation_id
    await read_stream(await send(alice_client, chat, text=f"/tool {BOOK} Bea", site_tools=[CHOICE]))
    again = await call()
    assert (again.tool, again.state) == (BOOK, "proposed")
    assert [each["boat"] for each in tides.called] == ["Ada"]


async def test_a_tool_that_is_described_otherwise_has_no_permission(
    alice: User, alice_client: AsyncClient, tides: RunningServer
) -> None:
    await connect(tides.url, asks=True)
    await allow(alice_client, "always")
    await description_is_confirmed("Book a boat, and pay for it.")
    await ask(alice_client, f"/tool {BOOK} Bea")
    one = await call()
    assert one.state == "proposed"
    page = (await alice_client.get("/settings/personalization/")).content.decode()
    assert "A tool that has changed or is gone" in page
    await decide(alice_client, one, scope="always")  # replaces the earlier one
    await alice.arefresh_from_db()
    assert Preferences.of(alice).allowed_tools == one.identity


@pytest.mark.parametrize("change", ["server", "description"])
async def test_a_call_that_was_allowed_is_of_no_other_tool(
    alice_client: AsyncClient, tides: RunningServer, change: str
) -> None:
    server = await connect(tides.url, asks=True)
    await ask(alice_client, f"/tool {BOOK} Ada")
    one = await call()
    await decide(alice_client, one)
    if change == "server":
        await another_server_gets_the_name(server, tides.url)
    else:
        await description_is_confirmed("Book a boat, and pay for it.")
    await resume(alice_client, one)
    await one.arefresh_from_db()
    assert (one.state, one.problem) == ("failed", "tool_changed")
    assert tides.called == []


async def test_stored_names_become_permissions_for_the_tools_of_today(
    alice: User, alice_client: AsyncClient, tides: RunningServer
) -> None:
    await connect(tides.url, asks=True)
    await ask(alice_client, f"/tool {BOOK} Ada")
    one = await call()
    identity, names = one.identity, ["gone__tool", "remember", BOOK]
    await StoredToolCall.objects.aupdate(identity="")
    await User.all_objects.aupdate(preferences={"allowed_tools": " ".join(names)})
    await Conversation.objects.aupdate(generation_settings={"allowed_tools": names})
    migration: Any = import_module("chat.migrations.0017_mcp_connections")
    await sync_to_async(migration.tie_permissions)(apps, None)
    await alice.arefresh_from_db()
    await one.arefresh_from_db()
    chat = await Conversation.objects.aget()
    assert Preferences.of(alice).allowed_tools == f"{identity} remember"
    assert chat.generation_settings["allowed_tools"] == [identity, "remember"]
    assert one.identity == identity
