"""A visitor leaves an address, and a person answers while they are away."""

import uuid
from collections.abc import Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from chat.conversations.models import Message
from chat.inbox import visitor_emails
from tests.support.outbox import deliver
from tests.support.widget.visitor_client import Visiting

ADDRESS = "vera@example.org"


async def leave(vera: Visiting, chat: str, email: str = ADDRESS) -> Any:
    return await vera.post(f"conversations/{chat}/email", {"email": email})


async def answer(client: AsyncClient, inbox: Callable[..., str], chat: str, text: str) -> None:
    """Take over and write, some time ago."""
    await client.post(inbox(chat) + "takeover/")
    sent = await client.post(inbox(chat) + "turns/", {"text": text, "key": uuid.uuid4().hex})
    assert sent.status_code in (204, 302)
    late = timezone.now() - 2 * visitor_emails.MAIL_AFTER
    await Message.objects.filter(text=text).aupdate(created_at=late)


async def mail_answers() -> None:
    """Mail what the visitors have not read, as a server process does every few seconds."""
    await sync_to_async(visitor_emails.find_unread)()
    await deliver(visitor_emails.MAIL)
