"""Calls and cited pages of other programs' answers are shown, and nothing in them ever runs."""

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.tool_calls.models import StoredToolCall
from chat.sharing import links as shared_links
from tests.import_export.files_with_tools import CHATS, PAGE
from tests.support.web.exports import body

pytestmark = pytest.mark.usefixtures("no_network_jobs")


async def imported(client: AsyncClient, program: str) -> Conversation:
    data = json.dumps([CHATS[program]()]).encode()
    upload = {"file": SimpleUploadedFile("conversations.json", data)}
    response = await client.post("/settings/import/", upload)
    assert response.status_code == 302
    return await Conversation.objects.aget()


@pytest.mark.parametrize("program", CHATS)
async def test_an_imported_call_is_shown_and_can_not_be_allowed(
    alice: User, alice_client: AsyncClient, bob_client: AsyncClient, program: str
) -> None:
    chat = await imported(alice_client, program)
    page = (await alice_client.get(f"/chat/{chat.pk}/")).content.decode()
    assert PAGE in page
    call = await StoredToolCall.objects.order_by("place").afirst()
    assert call
    assert (call.has_effects, call.decided_by, call.ended_at) == (False, None, None)
    shown = (await alice_client.get(f"/chat/tool-calls/{call.pk}")).json()
    assert "lighthouse" in shown["arguments"]
    assert "never follow" not in shown["result"]
    assert "never follow" in call.result
    assert (await bob_client.get(f"/chat/tool-calls/{call.pk}")).status_code == 404
    decided = await alice_client.post(
        f"/chat/tool-calls/{call.pk}/decision",
        {"is_allowed": True},
        content_type="application/json",
    )
    assert decided.status_code == 409
    assert not await StoredToolCall.objects.exclude(state__in=["done", "failed"]).aexists()


@pytest.mark.parametrize("program", CHATS)
async def test_an_imported_chat_with_calls_is_exported_and_imported_again_as_it_is(
    alice: User, alice_client: AsyncClient, program: str
) -> None:
    chat = await imported(alice_client, program)

    async def exported(chat: Conversation) -> Any:
        return json.loads(await body(await alice_client.get(f"/chat/{chat.pk}/export.json")))

    first = await exported(chat)
    assert first["messages"][1]["tools"]
    assert first["messages"][1]["sources"]
    upload = {"file": SimpleUploadedFile("chat.json", json.dumps(first).encode())}
    assert (await alice_client.post("/settings/import/", upload)).status_code == 302
    again = await Conversation.objects.exclude(pk=chat.pk).aget()
    assert await exported(again) == first


async def test_a_shared_link_shows_no_call(alice: User, alice_client: AsyncClient) -> None:
    chat = await imported(alice_client, "chatgpt")
    with_all = shared_links.Choices(with_reasoning=True)
    link = await sync_to_async(transaction.atomic(shared_links.make))(chat, with_all)
    page = await AsyncClient().get(f"/s/{shared_links.token_of(link.pk)}/")
    shown = page.content.decode()
    assert "Lindholm has a tower" in shown
    assert "ZeroDivisionError" not in shown + json.dumps(link.turns)
