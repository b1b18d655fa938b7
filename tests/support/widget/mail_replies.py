"""Visitors' replies by email, as a mail server posts them."""

import base64
from email.message import EmailMessage
from typing import Any

from django.core import mail
from django.test import AsyncClient

from chat.conversations.models import Message
from tests.support.widget.visitor_emails import ADDRESS

INBOUND = "reply@in.example.org"
SECRET = "a secret of inbound mail"
URL = "/inbound-mail/mime"
ACCEPTED = {"accepted": True}


def reply_address() -> str:
    """Return where the last mail to a visitor takes replies."""
    return str(mail.outbox[-1].reply_to[0])


def reply(text: str, *, to: str = "", sender: str = ADDRESS, **headers: str) -> EmailMessage:
    """Return a reply to the last mail, or to an address."""
    message = EmailMessage()
    message["From"], message["To"] = f"Vera <{sender}>", f"Shop <{to or reply_address()}>"
    message["Subject"] = "Re: Shop has replied to you"
    message["Message-ID"] = headers.pop("message_id", f"<{abs(hash(text))}@example.org>")
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message


async def received() -> list[str]:
    """Return the messages that came by email."""
    return [each.text async for each in Message.objects.filter(is_by_email=True).order_by("pk")]


async def post(content: EmailMessage | bytes, secret: str = SECRET, **options: Any) -> Any:
    """Post an email like Cloudflare's worker."""
    raw = content if isinstance(content, bytes) else content.as_bytes()
    return await AsyncClient().post(
        URL,
        raw,
        **{"content_type": "message/rfc822", "headers": {"Authorization": f"Bearer {secret}"}}
        | options,
    )


def basic(secret: str = SECRET) -> dict[str, str]:
    """Return the header of an address like https://runnel:secret@chat.example.org/."""
    return {"Authorization": "Basic " + base64.b64encode(f"runnel:{secret}".encode()).decode()}
