"""Store a visitor's message for a staff member to answer, without asking a model.

It counts towards the limit of messages per minute, and costs nothing else.
"""

from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.principals import Principal
from chat.conversations import turns
from chat.conversations.errors import ChatClosed
from chat.conversations.handoff import takeover
from chat.conversations.images import message_images
from chat.conversations.models import Conversation, Message, Takeover
from chat.errors import Conflict
from chat.quotas import ledger


@dataclass(frozen=True, slots=True)
class HandedOffMessage:
    """The stored message."""

    conversation_id: UUID
    question_id: int


def find(
    principal: Principal, conversation_id: UUID | None, key: str, text: str | None
) -> HandedOffMessage | None:
    """Return what this key has already stored; raise `Conflict` if the content differs."""
    if not principal.site or conversation_id is None:
        return None
    message = Message.objects.filter(
        conversation__owner=principal.user_id,
        conversation__purge_after=None,
        conversation=conversation_id,
        send_key=key,
    ).first()
    if message is None:
        return None
    if message.text != text or message.is_by_person:
        raise Conflict
    return HandedOffMessage(message.conversation_id, message.pk)


def is_stored(conversation_id: UUID, key: str) -> bool:
    """Return whether a message with this key is stored in the conversation, whatever its text."""
    return Message.objects.filter(conversation=conversation_id, send_key=key).exists()


def conversation_of(user_id: int, key: str) -> UUID | None:
    """Return the conversation that stores a handed-off message with this key; None if none does."""
    taken = Takeover.objects.filter(conversation__owner=user_id, conversation__purge_after=None)
    messages = Message.objects.filter(conversation__in=taken.values("conversation"), send_key=key)
    return messages.values_list("conversation", flat=True).first()


def add_message(
    principal: Principal,
    conversation: Conversation,
    key: str,
    text: str | None,
    page_context: str = "",
    *,
    attached_ids: list[int],
    is_by_email: bool = False,
) -> HandedOffMessage:
    """Add the message after the latest one, whatever the visitor's page has loaded.

    `attached_ids` are the images and files that its text names.

    If it came by email and nobody is there, the visitor waits for a person. Lock the conversation
    first, and call it last in the transaction. Raise `Conflict` if there is no text.
    """
    if text is None:
        raise Conflict(_("You're chatting with a person now, so the AI doesn't answer here."))
    last = turns.last_message(conversation)
    question = turns.post_question(
        conversation, text, last, key, page_context, is_by_email=is_by_email
    )
    if is_by_email:
        request_person(conversation)
    message_images.attach(question, attached_ids)
    ledger.count_message(principal.payer)
    return HandedOffMessage(conversation.pk, question.pk)


def request_person(conversation: Conversation) -> bool:
    """Note that the visitor asks for a person; return False if one is there or was asked before.

    Raise `ChatClosed`.
    """
    if conversation.closed_at:
        raise ChatClosed
    if takeover.current(conversation.pk):
        return False
    waiting = Conversation.objects.filter(pk=conversation.pk, person_requested_at=None)
    return bool(waiting.update(person_requested_at=timezone.now()))


def was_taken_over(principal: Principal, conversation: Conversation) -> bool:
    """Return whether a staff member has ever taken over this visitor's conversation."""
    return bool(principal.site) and conversation.takeovers.exists()


def is_taken_over(principal: Principal, conversation: Conversation) -> bool:
    """Return whether a staff member is answering this visitor's conversation now."""
    return bool(principal.site) and takeover.current(conversation.pk) is not None
