"""What can be done with a part of a conversation: deleting a turn, and copying what led to one."""

from datetime import datetime, timedelta
from itertools import pairwise

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.conversations.holding import may_go
from chat.conversations.models import TITLE_LENGTH, Conversation, Message
from chat.conversations.tree import subtree
from chat.conversations.turns import path_of
from chat.errors import BadRequest

LONGEST_COPY = 5000  # messages
AT_ONCE = 500


def delete_turn(conversation: Conversation, question: Message) -> None:
    """Hides a question with its answers and all that follows; other wordings of it stay."""
    if question.role != Message.Role.USER:
        raise BadRequest(_("A turn is deleted by its question."))
    _mark(_below(question, conversation.kept_messages), timezone.now())


def restore_turn(conversation: Conversation, question: Message) -> None:
    """Shows again what that deletion has hidden, and only that."""
    same = conversation.messages.filter(deleted_at=question.deleted_at)
    _mark(_below(question, same), None)


def remove_deleted(undo_seconds: float) -> int:
    """Removes for good what was deleted longer ago; how many messages.

    The last ones first: none is ever without the one that it follows.
    """
    before = timezone.now() - timedelta(seconds=undo_seconds)
    due = Message.objects.filter(deleted_at__lt=before)
    found = due.filter(may_go("conversation__", "deleted_at")).order_by("-id")
    count = 0
    while ids := list(found.values_list("id", flat=True)[:AT_ONCE]):
        Message.objects.filter(id__in=ids).delete()
        count += len(ids)
    return count


@transaction.atomic
def copy_up_to(message: Message) -> tuple[Conversation, dict[int, Message]]:
    """A new conversation with all that led to `message`, and it; the copy of each by its id."""
    path = path_of(message, to_copy=True)
    if len(path) > LONGEST_COPY:
        raise BadRequest(_("This is too long to be copied."))
    original = message.conversation
    original.refresh_from_db(fields=["title"])  # it may have gone with words that were hidden
    copy = Conversation.objects.create(owner_id=original.owner_id, title=next_title(original.title))
    made = Message.objects.bulk_create(
        [
            Message(
                conversation=copy,
                role=each.role,
                text=each.text,
                reasoning=each.reasoning,
                author=each.author,
                created_at=each.created_at,
                hidden_at=each.hidden_at,
            )
            for each in path
        ],
        batch_size=AT_ONCE,
    )
    for parent, child in pairwise(made):
        child.parent = parent
    Message.objects.bulk_update(made[1:], ["parent"], batch_size=AT_ONCE)
    return copy, {each.pk: twin for each, twin in zip(path, made, strict=True)}


def next_title(title: str) -> str:
    """“Rivers” → “Rivers (2)” → “Rivers (3)”, cut where it gets too long."""
    if not title:
        return ""  # the next question names it
    name, _space, end = title.rpartition(" ")
    digits = end[1:-1]
    is_counted = end == f"({digits})" and digits.isascii() and digits.isdigit() and len(digits) < 5
    name, number = (name, int(digits) + 1) if is_counted else (title, 2)
    suffix = f" ({number})"
    return (name[: TITLE_LENGTH - len(suffix)] + suffix).strip()


def _mark(ids: list[int], deleted_at: datetime | None) -> None:
    for start in range(0, len(ids), AT_ONCE):
        found = Message.objects.filter(id__in=ids[start : start + AT_ONCE])
        found.update(deleted_at=deleted_at)


def _below(question: Message, among: QuerySet[Message]) -> list[int]:
    nodes = among.only("id", "parent_id", "role", "conversation_id")
    return [node.pk for node in subtree(question.pk, nodes)]
