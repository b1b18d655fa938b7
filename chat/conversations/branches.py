"""Delete and restore turns of a conversation, and copy the branch that leads to a message."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.conversations import drafts, paths
from chat.conversations.images import cleanup, message_images
from chat.conversations.legal_hold import purgeable
from chat.conversations.models import TITLE_LENGTH, Conversation, Message
from chat.conversations.search import deleted_words
from chat.conversations.sizes.counted import MESSAGE_BYTES
from chat.conversations.sizes.row_batches import batches, first_batch, text_bytes
from chat.conversations.sources import sources
from chat.conversations.summaries import summaries
from chat.conversations.tool_calls import calls
from chat.database import housekeeping
from chat.errors import BadRequest

MAX_COPY_MESSAGES = 5000  # messages
#: Limits of one step of deleting a turn: SQLite rewrites the whole row to change one column.
MARKED_BYTES = 1_000_000
MARKED_ROWS = 1000


def subtree_batches(question: Message) -> list[list[int]]:
    """Return the ids of a question and everything below it, in batches for short transactions.

    Descendants come first and the question is in the last batch, so that no remaining message
    follows a deleted one. Raise `BadRequest` if it is an answer.
    """
    if question.role != Message.Role.USER:
        raise BadRequest(_("Delete the question instead. Its answers are deleted with it."))
    ids = paths.ids_below(question.pk)[::-1]
    return list(_batches_to_mark(ids))


def mark_deleted(ids: list[int], question_id: int, deleted_at: datetime) -> None:
    """Mark messages as deleted with this question; those already deleted stay as they are.

    Their summaries go at once, and are written again if the messages are restored.
    """
    present = Message.objects.filter(id__in=ids, deleted_at=None)
    present.update(deleted_at=deleted_at, deleted_with=question_id)
    summaries.remove_ending_at(ids)


def mark_restored(ids: list[int], question_id: int) -> None:
    """Restore the messages deleted with this question, but not those of another deletion."""
    deleted = Message.objects.filter(id__in=ids, deleted_with=question_id)
    deleted.update(deleted_at=None, deleted_with=None)


def remove_deleted(undo_seconds: float) -> int:
    """Remove a batch of messages deleted more than `undo_seconds` ago; return how many.

    The newest go first, so that no message loses its parent before it goes itself.
    """
    before = timezone.now() - timedelta(seconds=undo_seconds)
    due = Message.objects.filter(deleted_at__lt=before)
    messages = due.filter(purgeable("conversation__", "deleted_at"))
    messages = messages.exclude(pk__in=housekeeping.left_out(Message._meta.db_table))
    while _delete_below(ids := first_batch(messages.order_by("-id"))):
        pass  # what it has found is newer, and goes first
    images = cleanup.ids_of(ids)
    summaries.remove_ending_at(ids, with_held=True)
    # Without reading the texts.
    housekeeping.delete_all(Message.objects.filter(id__in=ids).order_by("-id").only("pk"))
    cleanup.remove_unused(images)
    if ids:
        deleted_words.merge_soon()
    return len(ids)


def _delete_below(ids: list[int]) -> bool:
    """Mark what was restored below these messages as deleted with them; return whether any was.

    The process may have died before the restoration came to the question, or an earlier one was
    deleted meanwhile. Nobody sees these messages, and they would keep the others for ever.
    """
    restored = Message.objects.filter(parent__in=ids, deleted_at=None).select_related("parent")
    for each in (found := list(restored.only("pk", "parent__deleted_at", "parent__deleted_with"))):
        above = each.parent
        if above and above.deleted_at:
            question_id = above.deleted_with or above.pk
            mark_deleted(paths.ids_below(each.pk), question_id, above.deleted_at)
    return bool(found)


@dataclass(frozen=True, slots=True)
class Branch:
    """The path to a message: ids in order, each with the size of its text in bytes."""

    sizes: list[tuple[int, int]]
    beside_bytes: int  # of calls of tools and cited passages

    @property
    def ids(self) -> list[int]:
        return [pk for pk, _size in self.sizes]

    @property
    def stored_bytes(self) -> int:
        return sum(size + MESSAGE_BYTES for _pk, size in self.sizes) + self.beside_bytes


def branch_to(message: Message) -> Branch:
    """Return the path down to `message`; raise `BadRequest` if it is too long to copy."""
    ids = paths.ids_to(message.pk)
    if len(ids) > MAX_COPY_MESSAGES:
        raise BadRequest(_("This chat is too long to copy."))
    sizes = _sizes(ids)
    beside_bytes = calls.bytes_of(ids) + sources.bytes_of(ids)
    return Branch([(pk, sizes[pk]) for pk in ids], beside_bytes)


def create_copy(original: Conversation) -> Conversation:
    """Create a draft to copy the messages of `original` into."""
    return create_draft(
        original.owner_id, next_title(original.title), original.api_key, original.project_id
    )


def create_draft(
    user_id: int, title: str, api_key: int | None = None, project_id: UUID | None = None
) -> Conversation:
    """Create an empty conversation that nobody sees; it is purged unless published in time."""
    return drafts.create(owner_id=user_id, title=title, api_key=api_key, project_id=project_id)


def copy_messages(copy: Conversation, ids: list[int], last: Message | None) -> list[Message]:
    """Copy these messages as a chain below `last`; return the copies.

    Call it in a transaction. It locks the originals, so that a concurrent redaction
    (`redaction.redact`) covers the copies too.
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
            copied_from=each.original_id,
        )
        for each in originals
    )
    link_messages(made, last)
    twins = dict(zip(sorted(ids), made, strict=True))
    message_images.copy_uses(twins)
    sources.copy_to(twins)
    calls.copy_to(twins)
    return made


def written_by_others(originals: set[int], user_id: int) -> set[int]:
    """Return those of the originals of copied messages that aren't in the user's own chats.

    That includes what has been deleted: nobody knows any more whose it was.
    """
    if not originals:
        return set()
    own = Message.objects.filter(pk__in=originals, conversation__owner=user_id)
    return originals - set(own.values_list("pk", flat=True))


def link_messages(made: list[Message], last: Message | None) -> None:
    """Link these stored messages into a chain, each the child of the one before, below `last`."""
    for parent, child in pairwise(filter(None, [last, *made])):
        child.parent = parent
    Message.objects.bulk_update([each for each in made if each.parent_id], ["parent"])


@transaction.atomic
def publish_copy(copy: Conversation, original: Conversation) -> None:
    """Show a complete copy in its owner's list of conversations, named after the original."""
    originals = Conversation.all_objects.select_for_update(no_key=True).filter(pk=original.pk)
    named = originals.only("title", "is_title_generated").first()
    # A redaction may have removed the title meanwhile.
    publish(copy, next_title(named.title if named else ""))
    if named and named.is_title_generated:
        Conversation.objects.filter(pk=copy.pk).update(is_title_generated=True)


@transaction.atomic
def publish(copy: Conversation, title: str) -> None:
    """Show a draft in its owner's list under this title. Raise `DraftGone`."""
    drafts.publish(Conversation.all_objects.filter(pk=copy.pk), 1, title=title)
    copy.purge_after, copy.title = None, title


def next_title(title: str) -> str:
    """Return “Rivers (2)” for “Rivers” and “Rivers (3)” for “Rivers (2)”, cut to fit."""
    if not title:
        return ""  # the next question names it
    name, _space, end = title.rpartition(" ")
    digits = end[1:-1]
    is_counted = end == f"({digits})" and digits.isascii() and digits.isdigit() and len(digits) < 5
    name, number = (name, int(digits) + 1) if is_counted else (title, 2)
    suffix = f" ({number})"
    return (name[: TITLE_LENGTH - len(suffix)] + suffix).strip()


def _sizes(ids: list[int]) -> dict[int, int]:
    messages = Message.objects.filter(id__in=ids).annotate(size=text_bytes())
    return dict(messages.values_list("pk", "size"))


def _batches_to_mark(ids: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(ids), MARKED_ROWS):
        some = ids[start : start + MARKED_ROWS]
        sizes = _sizes(some)
        yield from batches(some, lambda pk: sizes.get(pk, 0), MARKED_BYTES, MARKED_ROWS)  # noqa: B023
