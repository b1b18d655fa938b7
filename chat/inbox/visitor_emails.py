"""Keep the addresses of visitors who want a person's answers by mail, and find what is due."""

from datetime import timedelta
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy

from chat.conversations import turns
from chat.conversations.models import Conversation, Message
from chat.database import threads
from chat.errors import BadRequest
from chat.inbox import visitor_mail
from chat.inbox.models import VisitorEmail
from chat.webhooks.retries import RETRY_AFTER
from chat.widget_sites.visits import open_sites

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
    last = turns.last_message(conversation)
    VisitorEmail.objects.update_or_create(
        conversation=conversation,
        defaults={
            "address": address,
            "language": language or settings.LANGUAGE_CODE,
            "agreed_at": timezone.now(),
            "mailed_to": last.pk if last else 0,
            "due_at": timezone.now(),
            "tries": 0,
        },
    )


def address_of(conversation_id: UUID) -> str:
    """Return the address that the visitor gave; empty if none."""
    found = VisitorEmail.objects.filter(conversation=conversation_id)
    return found.values_list("address", flat=True).first() or ""


async def mail_answers() -> None:
    """Mail what visitors have not read. Run every few seconds, by each process."""
    for to, up_to in await threads.readers.run(_due):
        if await threads.writer.run(_claim, to):
            is_sent = await sync_to_async(_send, thread_sensitive=False)(to, up_to)
            if is_sent or to.tries == len(RETRY_AFTER):  # then it is given up
                await threads.writer.run(_finish, to, up_to)


def _send(to: VisitorEmail, up_to: int) -> bool:
    said = _answers().filter(conversation=to.pk, pk__gt=to.mailed_to, pk__lte=up_to)
    found = list(said.filter(conversation__purge_after=None).order_by("pk"))
    return not found or visitor_mail.send_answers(to, found)


def _due() -> list[tuple[VisitorEmail, int]]:
    """Return addresses that are due a mail, each with the last message to mail."""
    last = _answers().filter(conversation=OuterRef("pk")).order_by("-pk")
    quiet_since = timezone.now() - MAIL_AFTER  # later, they may be still writing
    found = VisitorEmail.objects.filter(
        due_at__lte=Now(),
        conversation__is_unread=True,
        conversation__purge_after=None,
        conversation__owner__visitor__site__in=open_sites(),
    ).annotate(
        last=Subquery(last.values("pk")[:1]), said_at=Subquery(last.values("created_at")[:1])
    )
    unsent = found.filter(last__gt=F("mailed_to"), said_at__lte=quiet_since).order_by("due_at")
    some = unsent.select_related("conversation__owner__visitor__site")[:AT_ONCE]
    return [(each, each.last) for each in some]


def _answers() -> QuerySet[Message]:
    persons = Message.objects.filter(author__gt=0, role=Message.Role.ASSISTANT)
    return persons.filter(hidden_at=None, deleted_at=None)


def _claim(to: VisitorEmail) -> bool:
    """Return whether this process is to mail them; another one tries again if this one dies."""
    until = timezone.now() + RETRY_AFTER[min(to.tries, len(RETRY_AFTER) - 1)]
    ours = VisitorEmail.objects.filter(pk=to.pk, mailed_to=to.mailed_to, due_at=to.due_at)
    return bool(ours.update(due_at=until, tries=to.tries + 1))


def _finish(to: VisitorEmail, up_to: int) -> None:
    ours = VisitorEmail.objects.filter(pk=to.pk, mailed_to=to.mailed_to)
    ours.update(mailed_to=up_to, due_at=timezone.now(), tries=0)
