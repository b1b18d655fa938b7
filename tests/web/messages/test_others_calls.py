"""Nobody but the chat's owner reads a call or decides about it, and no change in between helps."""

import asyncio
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.conversations.models import Conversation, Message
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations import tool_permissions
from tests.support.api.api_client import BrowserWithKey, new_api_client
from tests.support.generations.mcp_calls import MODEL, resume
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.widget.visitor_client import site_of, visit

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

ALLOWED = {"is_allowed": True, "scope": "always"}
FOREIGN = ["nobody", "bob", "rita", "her key", "her visitor"]


async def proposed(client: AsyncClient) -> StoredToolCall:
    text = "Please remember that I ski"
    response = await send(client, text=text, site_tools=["remember"], model=MODEL)
    await read_stream(response)
    return await StoredToolCall.objects.select_related("message").aget()


async def decided(client: AsyncClient, call: StoredToolCall) -> int:
    path = f"/chat/tool-calls/{call.pk}/decision"
    response = await client.post(path, ALLOWED, content_type="application/json")
    return int(response.status_code)


async def memories(user: User) -> str:
    await user.arefresh_from_db()
    return Preferences.of(user).memories


@pytest.mark.parametrize("who", FOREIGN)
async def test_nobody_else_reads_a_call_or_decides(
    alice: User,
    alice_client: AsyncClient,
    bob_client: AsyncClient,
    rita_client: AsyncClient,
    who: str,
) -> None:
    call = await proposed(alice_client)
    if who == "her visitor":
        vera = await visit(await site_of(alice, tool_names="calculator"))
        headers = {"Authorization": f"Bearer {vera.bearer}"}
        client = AsyncClient(headers=headers)
        assert (await vera.get(f"tool-calls/{call.pk}")).status_code == 404
    elif who == "her key":
        client = BrowserWithKey((await new_api_client(alice)).text)
    else:
        client = {"bob": bob_client, "rita": rita_client}.get(who, AsyncClient())
    read = await client.get(f"/chat/tool-calls/{call.pk}")
    assert read.status_code in {302, 401, 403, 404}
    assert b"ski" not in read.content
    assert await decided(client, call) in {302, 401, 403, 404}
    await call.arefresh_from_db()
    assert (call.state, await memories(alice)) == ("proposed", "")


@pytest.mark.parametrize("change", ["withheld", "switched off", "deleted", "closed", "hidden"])
async def test_what_is_forbidden_meanwhile_is_not_done(
    alice: User, alice_client: AsyncClient, change: str, settings: Settings
) -> None:
    call = await proposed(alice_client)
    chat = Conversation.objects.filter(pk=call.message.conversation_id)
    if change == "withheld":
        group = await Group.objects.acreate(name="Pupils")
        await sync_to_async(tool_permissions.set_for)(group, ["calculator"])
        await alice.groups.aadd(group)
    elif change == "switched off":
        settings.TOOLS = ["calculator"]
    elif change == "deleted":
        await chat.aupdate(purge_after=timezone.now() + timedelta(days=1))
    elif change == "closed":
        await chat.aupdate(closed_at=timezone.now())
    else:
        await Message.objects.filter(pk=call.message_id).aupdate(hidden_at=timezone.now(), text="")
    status = await decided(alice_client, call)
    if change in {"withheld", "switched off"}:
        assert status == 200
        await resume(alice_client, call)
        await call.arefresh_from_db()
        assert (call.state, call.problem) == ("failed", "tool_off")
    else:
        assert status in {403, 404, 409, 410}
        await call.arefresh_from_db()
        assert call.state == "proposed"
    assert await memories(alice) == ""


async def test_of_many_decisions_at_once_one_counts(alice: User, alice_client: AsyncClient) -> None:
    call = await proposed(alice_client)
    statuses = await asyncio.gather(*(decided(alice_client, call) for _ in range(8)))
    assert sorted(statuses) == [200, *[409] * 7]
