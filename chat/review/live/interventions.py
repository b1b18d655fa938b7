"""Let staff act on a running chat: stop an answer, take over, write and hand back.

Everyone who may review a chat may do so, so that harm can be stopped at once. Each action is
logged.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.conversations.access import locked
from chat.conversations.handoff import takeover
from chat.conversations.models import BY_FILE, Conversation, Message, Takeover
from chat.errors import BadRequest
from chat.generations.task import cancellation
from chat.review import access
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.staff.roles import Reviewer


@transaction.atomic
def stop(staff_context: StaffContext, conversation_id: UUID) -> bool:
    """Stop the running answers of the chat; return False if there are none."""
    owner = access.owner_of(staff_context, conversation_id)
    stopped = cancellation.stop(conversation_id, cancellation.Cause.STAFF)
    for message in stopped:
        record_action(
            staff_context,
            StaffAction.Kind.STOPPED,
            person=owner,
            conversation=conversation_id,
            message=message,
        )
    return bool(stopped)


@transaction.atomic
def take_over(staff_context: StaffContext, conversation_id: UUID) -> None:
    """Take over the chat. Raise `BadRequest` unless its owner is a visitor of a website."""
    owner = access.owner_of(staff_context, conversation_id)
    if not can_be_taken_over(owner):
        raise BadRequest(_("You can only take over visitor chats."))
    if cancellation.take_over(conversation_id, staff_context.reviewer.user_id):
        record_action(
            staff_context, StaffAction.Kind.TAKEN_OVER, person=owner, conversation=conversation_id
        )


@transaction.atomic
def send_message(
    staff_context: StaffContext, conversation_id: UUID, text: str, key: str
) -> Message:
    """Add a message of the staff member. It shows them nothing new, so no access is logged."""
    access.owner_of(staff_context, conversation_id)
    return takeover.add_message(locked(conversation_id), staff_context.reviewer.user_id, text, key)


@transaction.atomic
def hand_back(staff_context: StaffContext, conversation_id: UUID) -> bool:
    """End the reader's takeover; return False if it had already ended."""
    owner = access.owner_of(staff_context, conversation_id)
    if not takeover.hand_back(conversation_id, staff_context.reviewer.user_id):
        return False
    record_action(
        staff_context, StaffAction.Kind.HANDED_BACK, person=owner, conversation=conversation_id
    )
    return True


def reason_of_takeover(reviewer: Reviewer, conversation_id: UUID | None) -> str | None:
    """Return the reason of the reviewer's current takeover, which is valid while it lasts.

    This keeps an expired reason from interrupting a conversation with a visitor.
    """
    taken = takeover.current(conversation_id) if conversation_id else None
    if taken is None or taken.person != reviewer.user_id:
        return None
    staff_actions = StaffAction.objects.filter(kind=StaffAction.Kind.TAKEN_OVER, actor=taken.person)
    return (
        staff_actions.filter(conversation=conversation_id).values_list("reason", flat=True).last()
    )


def can_be_taken_over(owner: int) -> bool:
    return User.all_objects.filter(pk=owner, is_visitor=True).exists()


def is_open_to_takeovers(conversation_id: UUID) -> bool:
    """Return whether the chat is a visitor's, and has not been closed."""
    chats = Conversation.objects.filter(pk=conversation_id, owner__is_visitor=True)
    return chats.filter(closed_at=None).exists()


def staff_names(reviewer: Reviewer, numbers: Iterable[int]) -> dict[int, str]:
    """Return the names of those who answered visitors, as far as the reviewer may learn them."""
    wanted = set(numbers)
    users = User.objects.in_bulk(wanted)
    return {each: _shown_name(reviewer, each, users.get(each)) for each in wanted}


def _shown_name(reviewer: Reviewer, number: int, person: User | None) -> str:
    if number == BY_FILE:
        return gettext("unknown (from an imported file)")
    if reviewer.colleagues is not None and number not in reviewer.colleagues:
        return gettext("Staff member")
    return str(person) if person else gettext("Deleted user")


def holders_of(reviewer: Reviewer, ids: Iterable[UUID]) -> dict[UUID, str]:
    """Return who answers in these chats now, by name."""
    takeovers = takeover.all_current(ids)
    names = staff_names(reviewer, (each.person for each in takeovers))
    return {each.conversation_id: names[each.person] for each in takeovers}


def current_takeover(staff_context: StaffContext, conversation_id: UUID) -> Takeover | None:
    """Return the current takeover; if it is the reader's own, keep it alive."""
    takeover.record_heartbeat(conversation_id, staff_context.reviewer.user_id)
    return takeover.current(conversation_id)
