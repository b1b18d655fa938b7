"""Hiding a message and closing a chat, and back; holding one that its owner may delete."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from chat.conversations import redaction
from chat.conversations.access import message_of
from chat.conversations.models import Conversation, Message
from chat.generations.deletion.soft_delete import stop
from chat.generations.models import Generation
from chat.review.access import conversation_to_act_on
from chat.review.access_log.authority import require_below
from chat.review.access_log.staff_actions import Deed, record
from chat.review.access_log.staff_context import Look
from chat.review.cases import case_holds
from chat.sharing import shared_redaction as shared

Kind = Deed.Kind


@transaction.atomic
def hide(look: Look, conversation_id: UUID, message_id: int) -> Conversation:
    """Its owner sees that it is hidden, and nobody but the staff what it says.

    Of an answer that is being written also what is still to come. In the order in which the end of
    an answer locks: it, its message, its chat.
    """
    conversation, message = _message(look, conversation_id, message_id)
    stop(Generation.objects.filter(message=message))
    hidden = redaction.hide(message)
    for each, words in hidden:
        shared.hide(each, words)
    if hidden:
        _record(look, Kind.HIDDEN, conversation, message)
    return conversation


@transaction.atomic
def show(look: Look, conversation_id: UUID, message_id: int) -> Conversation:
    conversation, message = _message(look, conversation_id, message_id)
    shown = redaction.show(message)
    for each, words in shown:
        shared.show(each, words)
    if shown:
        _record(look, Kind.SHOWN, conversation, message)
    return conversation


@transaction.atomic
def close(look: Look, conversation_id: UUID) -> Conversation:
    """It can be read, and nothing can be sent; what is being written stops."""
    conversation = _conversation(look, conversation_id)
    open_ones = Conversation.everything.filter(pk=conversation.pk, closed_at=None)
    if open_ones.update(closed_at=timezone.now()):
        stop(Generation.objects.filter(message__conversation=conversation))
        _record(look, Kind.CLOSED, conversation)
    return conversation


@transaction.atomic
def reopen(look: Look, conversation_id: UUID) -> Conversation:
    conversation = _conversation(look, conversation_id)
    closed = Conversation.everything.filter(pk=conversation.pk, closed_at__isnull=False)
    if closed.update(closed_at=None):
        _record(look, Kind.REOPENED, conversation)
    return conversation


@transaction.atomic
def hold(look: Look, conversation_id: UUID) -> Conversation:
    conversation = _conversation(look, conversation_id)
    if case_holds.hold(conversation.pk):
        _record(look, Kind.HELD, conversation)
    return conversation


@transaction.atomic
def release(look: Look, conversation_id: UUID) -> Conversation:
    conversation = _conversation(look, conversation_id)
    if case_holds.release(conversation.pk):
        _record(look, Kind.RELEASED, conversation)
    return conversation


def _conversation(look: Look, conversation_id: UUID) -> Conversation:
    conversation = conversation_to_act_on(look, conversation_id)
    require_below(look, conversation.owner)
    return conversation


def _message(look: Look, conversation_id: UUID, message_id: int) -> tuple[Conversation, Message]:
    conversation = _conversation(look, conversation_id)
    return conversation, message_of(conversation, message_id)


def _record(
    look: Look, kind: Deed.Kind, conversation: Conversation, message: Message | None = None
) -> None:
    record(
        look,
        kind,
        person=conversation.owner_id,
        conversation=conversation.pk,
        message=message.pk if message else None,
    )
