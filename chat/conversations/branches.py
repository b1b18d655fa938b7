"""What can be done with a part of a conversation: deleting a turn, and copying what led to one."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.conversations.batches import first_batch, text_bytes
from chat.conversations.holding import may_go
from chat.conversations.models import TITLE_LENGTH, Conversation, Message
from chat.conversations.size_triggers import MESSAGE_BYTES
from chat.conversations.tree import path_to, subtree
from chat.errors import BadRequest

LONGEST_COPY = 5000  # messages
AT_ONCE = 500
COPY_GIVEN_UP_AFTER = timedelta(hours=1)


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
    """Removes for good a batch of what was deleted longer ago; how many messages.

    The last ones first: none is ever without the one that it follows.
    """
    before = timezone.now() - timedelta(seconds=undo_seconds)
    due = Message.objects.filter(deleted_at__lt=before)
    found = due.filter(may_go("conversation__", "deleted_at")).order_by("-id")
    ids = first_batch(found)
    Message.objects.filter(id__in=ids).delete()
    return len(ids)


@dataclass(frozen=True, slots=True)
class Branch:
    """What led to a message: ids in their order, each with how many bytes it has."""

    sizes: list[tuple[int, int]]

    @property
    def ids(self) -> list[int]:
        return [pk for pk, _size in self.sizes]

    @property
    def stored_bytes(self) -> int:
        return sum(size + MESSAGE_BYTES for _pk, size in self.sizes)


def branch_to(message: Message) -> Branch:
    """All that led to `message`, and it. Raises `BadRequest` where that is too much to copy."""
    found = Message.objects.filter(conversation=message.conversation_id, deleted_at=None)
    nodes = found.annotate(size=text_bytes()).only("id", "parent_id")
    path = path_to(message.pk, nodes)
    if len(path) > LONGEST_COPY:
        raise BadRequest(_("This is too long to be copied."))
    return Branch([(node.pk, node.size) for node in path])


def begin_copy(original: Conversation) -> Conversation:
    return begin_unseen(original.owner_id, next_title(original.title))


@transaction.atomic
def begin_unseen(user_id: int, title: str) -> Conversation:
    """An empty conversation that nobody sees yet; unless it is shown it is removed."""
    return Conversation.everything.create(
        owner_id=user_id, title=title, goes_at=timezone.now() + COPY_GIVEN_UP_AFTER
    )


def copy_messages(copy: Conversation, ids: list[int], last: Message | None) -> list[Message]:
    """Copies of these messages, one after the other behind `last`. Call it in a transaction.

    It holds the originals: words that are hidden meanwhile are hidden in both (`hiding.hide`).
    """
    originals = Message.objects.filter(pk__in=ids).order_by("id").select_for_update(no_key=True)
    made = Message.objects.bulk_create(
        Message(
            conversation=copy,
            role=each.role,
            text=each.text,
            reasoning=each.reasoning,
            author=each.author,
            created_at=each.created_at,
            hidden_at=each.hidden_at,
            is_imported=each.is_imported,
        )
        for each in originals
    )
    chain(made, last)
    return made


def chain(made: list[Message], last: Message | None) -> None:
    """Each of these stored messages follows the one before it, the first one `last`."""
    for parent, child in pairwise(filter(None, [last, *made])):
        child.parent = parent
    Message.objects.bulk_update([each for each in made if each.parent_id], ["parent"])


@transaction.atomic
def show_copy(copy: Conversation, original: Conversation) -> None:
    """From now on the copy is a conversation like any other."""
    found = Conversation.everything.select_for_update(no_key=True).filter(pk=original.pk)
    named = found.values_list("title", flat=True).first()
    show(copy, next_title(named or ""))  # it may have gone with words that were hidden


def show(copy: Conversation, title: str) -> None:
    Conversation.everything.filter(pk=copy.pk).update(goes_at=None, title=title)
    copy.goes_at, copy.title = None, title


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
