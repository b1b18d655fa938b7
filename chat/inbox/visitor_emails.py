"""Keep the addresses of visitors who want a person's answers by mail, and find what is due."""

from datetime import timedelta
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy

from chat.conversations import turns
from chat.conversations.models import Conversation, Message
from chat.database import threads
from chat.errors import BadRequest
from chat.inbox import visitor_mail
from chat.inbox.models import VisitorEmail

#: How long a visitor has to read an answer in the chat before it is mailed.
MAIL_AFTER = timedelta(minutes=2)
AT_ONCE = 20
MAX_ADDRESS = 254


class InvalidEmail(BadRequest):
    code = "invalid_email"
    text = gettext_lazy("Enter a valid email address.")


def valid_address(text: str) -> str:
    """Return the address. Raise `InvalidEmail`."""
    address = text.strip()
    try:
        validate_email(address)
    except ValidationError:
        raise InvalidEmail from None
    if len(address) > MAX_ADDRESS:
        raise InvalidEmail
    return address


def set_address(conversation: Conversation, address: str, language: str) -> None:
    """Mail what persons answer from now on to this address; an empty one ends it."""
    if not address:
        VisitorEmail.objects.filter(conversation=conversation).delete()
        return
    last = turns.last_message(conversation)
    VisitorEmail.objects.update_or_create(
        conversation=conversation,
        defaults={
            "address": valid_address(address),
            "language": language or settings.LANGUAGE_CODE,
            "agreed_at": timezone.now(),
            "mailed_to": last.pk if last else 0,
        },
    )


def address_of(conversation_id: UUID) -> str:
    """Return the address that the visitor gave; empty if none."""
    found = VisitorEmail.objects.filter(conversation=conversation_id)
    return found.values_list("address", flat=True).first() or ""


async def mail_answers() -> None:
    """Mail what visitors have not read. Run every few seconds, by each process."""
    for to, up_to in await threads.readers.run(_due):
        if await threads.writer.run(_claim, to, up_to):
            is_sent = await sync_to_async(_send, thread_sensitive=False)(to, up_to)
            if not is_sent:
                await threads.writer.run(_give_back, to, up_to)


def _send(to: VisitorEmail, up_to: int) -> bool:
    said = _answers().filter(conversation=to.pk, pk__gt=to.mailed_to, pk__lte=up_to)
    return visitor_mail.send_answers(to, list(said.order_by("pk")))


def _due() -> list[tuple[VisitorEmail, int]]:
    """Return addresses that are due a mail, each with the last message to mail."""
    unread = VisitorEmail.objects.filter(
        conversation__is_unread=True, conversation__purge_after=None
    ).filter(Exists(_answers().filter(conversation=OuterRef("pk"), pk__gt=OuterRef("mailed_to"))))
    found = []
    for to in unread.select_related("conversation__owner__visitor__site")[:AT_ONCE]:
        last = _answers().filter(conversation=to.pk).order_by("pk").last()
        if last and last.created_at <= timezone.now() - MAIL_AFTER:  # they may be still writing
            found.append((to, last.pk))
    return found


def _answers() -> QuerySet[Message]:
    persons = Message.objects.filter(author__gt=0, role=Message.Role.ASSISTANT)
    return persons.filter(hidden_at=None, deleted_at=None)


def _claim(to: VisitorEmail, up_to: int) -> bool:
    """Return whether this process is to mail them."""
    unsent = VisitorEmail.objects.filter(pk=to.pk, mailed_to=to.mailed_to)
    return bool(unsent.update(mailed_to=up_to))


def _give_back(to: VisitorEmail, up_to: int) -> None:
    VisitorEmail.objects.filter(pk=to.pk, mailed_to=up_to).update(mailed_to=to.mailed_to)
