"""Keep the addresses of visitors who want a person's answers by mail, and mail what is unread."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext_lazy

from chat.accounts import mail
from chat.conversations import turns
from chat.conversations.models import Conversation, Message
from chat.errors import BadRequest
from chat.inbox import visitor_mail
from chat.inbox.models import VisitorEmail
from chat.outbox import claim
from chat.outbox.models import Delivery
from chat.widget_sites.visits import open_sites

#: How long a visitor has to read an answer in the chat before it is mailed.
MAIL_AFTER = timedelta(minutes=2)
MAX_ADDRESS = 254
STORED_AT_ONCE = 50


class InvalidEmail(BadRequest):
    code = "invalid_email"
    text = gettext_lazy("Enter a valid email address.")


def valid_address(text: str) -> str:
    """Return the address. Raise `InvalidEmail`."""
    address = text.strip()
    try:
        validate_email(address)
        address.rpartition("@")[2].encode("idna")  # as when it is mailed
    except (ValidationError, UnicodeError):
        raise InvalidEmail from None
    if len(address) > MAX_ADDRESS:
        raise InvalidEmail
    return address


def set_address(conversation: Conversation, address: str, language: str) -> None:
    """Mail what persons answer from now on to this valid address; an empty one ends it."""
    if not address:
        VisitorEmail.objects.filter(conversation=conversation).delete()
        return
    VisitorEmail.objects.update_or_create(
        conversation=conversation,
        defaults={
            "address": address,
            "language": language or settings.LANGUAGE_CODE,
            "agreed_at": timezone.now(),
            **_known_so_far(conversation),
        },
    )


def mark_read(conversation: Conversation) -> None:
    """Clear the conversation's unread mark. What the visitor has read will not be mailed."""
    turns.mark_read(conversation)
    VisitorEmail.objects.filter(conversation=conversation).update(**_known_so_far(conversation))


def _known_so_far(conversation: Conversation) -> dict[str, Any]:
    last = turns.last_message(conversation)
    return {"mailed_to": last.pk if last else 0, "delivery": None}


def address_of(conversation_id: UUID) -> str:
    """Return the address that the visitor gave; empty if none."""
    emails = VisitorEmail.objects.filter(conversation=conversation_id)
    return emails.values_list("address", flat=True).first() or ""


def find_unread() -> bool:
    """Store mails with what visitors have not read; return whether there may be more."""
    due = _due()
    for email in due:
        content = {"after": _mailed_to(email), "up_to": email.last}
        with transaction.atomic():
            delivery = MAIL.add(group=email.conversation.owner.visitor.site_id, **content)
            rows = VisitorEmail.objects.filter(pk=email.pk, mailed_to=email.mailed_to)
            if not rows.update(mailed_to=email.last, delivery=delivery):
                delivery.delete()  # another process was faster
    return len(due) == STORED_AT_ONCE


def _due() -> list[Any]:
    """Return addresses that are due a mail, each with the ID of the `last` message for it."""
    last = _answers().filter(conversation=OuterRef("pk")).order_by("-pk")
    quiet_since = timezone.now() - MAIL_AFTER  # later, they may be still writing
    emails = _unread().annotate(
        last=Subquery(last.values("pk")[:1]), said_at=Subquery(last.values("created_at")[:1])
    )
    waiting = Q(delivery__isnull=False) & Q(delivery__due_at__isnull=False)
    due = emails.filter(last__gt=F("mailed_to"), said_at__lte=quiet_since).exclude(waiting)
    return list(due[:STORED_AT_ONCE])


def _mailed_to(email: VisitorEmail) -> int:
    """Return the last message that has been mailed: those of a mail that was given up were not."""
    last = email.delivery
    if last is None or not claim.is_given_up(last):
        return email.mailed_to
    return int(last.content["after"])


def _unread() -> QuerySet[VisitorEmail]:
    emails = VisitorEmail.objects.filter(
        conversation__is_unread=True,
        conversation__purge_after=None,
        conversation__owner__is_active=True,  # others are mailed it once they are reinstated
        conversation__owner__visitor__site__in=open_sites(),
    )
    return emails.select_related("conversation__owner__visitor__site", "delivery")


def _message(delivery: Delivery) -> EmailMessage | None:
    """Return the mail, unless the visitor has read it or removed the address meanwhile.

    What can't be mailed now is mailed later: a chat may be restored, a message shown again, and a
    website be open again.
    """
    if email := _unread().filter(delivery=delivery).first():
        content = delivery.content
        answers = _answers().filter(pk__gt=content["after"], pk__lte=content["up_to"])
        if unread := list(answers.filter(conversation=email.pk).order_by("pk")):
            return visitor_mail.message_with(unread, email)
    waiting = VisitorEmail.objects.filter(delivery=delivery, conversation__is_unread=True)
    waiting.update(mailed_to=delivery.content["after"], delivery=None)
    return None


def _answers() -> QuerySet[Message]:
    persons = Message.objects.filter(author__gt=0, role=Message.Role.ASSISTANT)
    return persons.filter(hidden_at=None, deleted_at=None)


MAIL = mail.kind("visitor_mail", _message)
