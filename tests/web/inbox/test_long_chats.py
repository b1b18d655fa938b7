"""Long chats are downloaded in pieces, and are too long for an email."""

from collections.abc import Callable

import pytest
from django.core import mail
from django.test import AsyncClient

from chat.conversations.models import Message
from chat.inbox import visitor_mail
from chat.web.inbox.views import chats
from chat.widget_sites.models import WidgetSite
from tests.support.widget.visitor_client import Visiting

Inbox = Callable[..., str]


async def lengthen(chat: str) -> None:
    """Add a message that fills an email."""
    last = await Message.objects.filter(conversation=chat).alatest("pk")
    text = "a" * visitor_mail.MAX_TRANSCRIPT_BYTES
    await Message.objects.acreate(conversation_id=chat, parent=last, role="user", text=text)


async def test_a_long_chat_is_not_mailed(vera: Visiting, chat: str, shop: WidgetSite) -> None:
    await WidgetSite.objects.aupdate(mails_transcripts=True)
    await lengthen(chat)
    body = {"email": "vera@example.org"}
    refused = await vera.post(f"conversations/{chat}/transcript", body)
    assert refused.json()["error"]["code"] == "chat_too_long"
    assert mail.outbox == []


async def test_a_long_chat_is_downloaded_in_pieces(
    agent_client: AsyncClient, inbox: Inbox, chat: str
) -> None:
    await lengthen(chat)
    response = await agent_client.get(inbox(chat) + "export.md")
    assert response.streaming
    pieces = [len(piece) async for piece in response.streaming_content]  # type: ignore[attr-defined]
    assert len(pieces) > 2
    assert sum(pieces) > visitor_mail.MAX_TRANSCRIPT_BYTES


async def test_downloads_are_rate_limited(
    agent_client: AsyncClient, inbox: Inbox, chat: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chats, "EXPORTS_PER_MINUTE", 1)
    path = inbox(chat) + "export.md"
    assert [(await agent_client.get(path)).status_code for _ in range(2)] == [200, 429]
