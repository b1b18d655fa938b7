"""Hide messages, close chats and place legal holds, and undo each."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from chat.accounts.actor import SERVER
from chat.conversations import redaction
from chat.conversations.access import message_of
from chat.conversations.models import Conversation, Message
from chat.generations.models import Generation
from chat.generations.task.cancellation import request_stop
from chat.review.access import conversation_for_action
from chat.review.access_log import staff_actions
from chat.review.access_log.authority import require_below
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.cases import holds
from chat.sharing import redaction as shared

Kind = StaffAction.Kind


@transaction.atomic
def hide(staff_context: StaffContext, conversation_id: UUID, message_id: int) -> Conversation:
    """Hide the message: its owner sees a notice, and only staff can read the text.

    This also hides the rest of an answer that is being written. Locks are taken in the order in
    which the end of an answer takes them: generation, message, chat.
    """
    conversation, message = _message(staff_context, conversation_id, message_id)
    if _redact(message):
        _record(staff_context, Kind.HIDDEN, conversation, message)
    return conversation


@transaction.atomic
def hide_by_rule(message: Message, rule_name: str) -> None:
    """Hide the message as `hide` does, because a rule says so."""
    if _redact(message):
        _record_rule(Kind.HIDDEN, message, rule_name)


@transaction.atomic
def show_by_rule(message: Message, rule_name: str) -> bool:
    """Show the message again because a rule is withdrawn; return whether it was hidden."""
    shown = _unredact(message)
    if shown:
        _record_rule(Kind.SHOWN, message, rule_name)
    return shown


def _record_rule(kind: StaffAction.Kind, message: Message, rule_name: str) -> None:
    conversation = message.conversation
    staff_actions.add(
        SERVER,
        "",
        kind,
        person=conversation.owner_id,
        conversation=conversation.pk,
        message=message.pk,
        detail=rule_name,
    )


def _redact(message: Message) -> bool:
    """Return whether the message, or a copy of it, was not hidden before."""
    request_stop(Generation.objects.filter(message=message))
    hidden = redaction.redact(message)
    for each, words in hidden:
        shared.redact(each, words)
    return bool(hidden)


def _unredact(message: Message) -> bool:
    """Return whether the message, or a copy of it, was hidden before."""
    shown = redaction.unredact(message)
    for each, words in shown:
        shared.unredact(each, words)
    return bool(shown)


@transaction.atomic
def show(staff_context: StaffContext, conversation_id: UUID, message_id: int) -> Conversation:
    conversation, message = _message(staff_context, conversation_id, message_id)
    if _unredact(message):
        _record(staff_context, Kind.SHOWN, conversation, message)
    return conversation


@transaction.atomic
def close(staff_context: StaffContext, conversation_id: UUID) -> Conversation:
    """Close the chat: it can be read, but not continued. Running answers are stopped."""
    conversation = _conversation(staff_context, conversation_id)
    open_ones = Conversation.all_objects.filter(pk=conversation.pk, closed_at=None)
    if open_ones.update(closed_at=timezone.now()):
        request_stop(Generation.objects.filter(message__conversation=conversation))
        _record(staff_context, Kind.CLOSED, conversation)
    return conversation


@transaction.atomic
def reopen(staff_context: StaffContext, conversation_id: UUID) -> Conversation:
    conversation = _conversation(staff_context, conversation_id)
    closed = Conversation.all_objects.filter(pk=conversation.pk, closed_at__isnull=False)
    if closed.update(closed_at=None):
        _record(staff_context, Kind.REOPENED, conversation)
    return conversation


@transaction.atomic
def hold(staff_context: StaffContext, conversation_id: UUID) -> Conversation:
    conversation = _conversation(staff_context, conversation_id)
    if holds.hold(conversation.pk):
        _record(staff_context, Kind.HELD, conversation)
    return conversation


@transaction.atomic
def release(staff_context: StaffContext, conversation_id: UUID) -> Conversation:
    """Lift the hold, also of resolved cases. What was deleted is purged some days later."""
    conversation = _conversation(staff_context, conversation_id)
    if holds.lift(conversation.pk):
        _record(staff_context, Kind.RELEASED, conversation)
    return conversation


def _conversation(staff_context: StaffContext, conversation_id: UUID) -> Conversation:
    conversation = conversation_for_action(staff_context, conversation_id)
    require_below(staff_context, conversation.owner)
    return conversation


def _message(
    staff_context: StaffContext, conversation_id: UUID, message_id: int
) -> tuple[Conversation, Message]:
    conversation = _conversation(staff_context, conversation_id)
    return conversation, message_of(conversation, message_id)


def _record(
    staff_context: StaffContext,
    kind: StaffAction.Kind,
    conversation: Conversation,
    message: Message | None = None,
) -> None:
    record_action(
        staff_context,
        kind,
        person=conversation.owner_id,
        conversation=conversation.pk,
        message=message.pk if message else None,
    )
