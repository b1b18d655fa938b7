"""Store and read the summaries of long chats, and remove them with what they cover.

A summary is claimed before the messages are read. Whoever removes text of a message locks the
conversation and removes the summaries that cover it, claimed ones included. So a summary of text
that is removed meanwhile finds no row to be stored in.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from chat.conversations import paths
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes.counted import MESSAGE_BYTES
from chat.conversations.summaries.models import ChatSummary
from chat.database.prepared import PreparedQuery

NEVER = datetime(1970, 1, 1, tzinfo=UTC)
#: A process that has claimed one for longer has died.
CLAIMED_FOR = timedelta(minutes=10)
#: Of all branches of a chat, the newest.
MAX_SUMMARIES = 10
#: A question, its answer, and two exchanges that are not summarised: shorter chats have none.
LEAST_MESSAGES = 6

_of_conversation = PreparedQuery(
    lambda pk: ChatSummary.objects.filter(conversation=pk).exclude(text="").order_by("last_message")
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A summary that this process writes: of the messages up to `last_id`.

    `covered` is their number. It builds on the summary up to `former_id`, if there is one.
    `started_at` tells it from other claims of the same messages, once it is claimed.
    """

    conversation_id: UUID
    last_id: int
    covered: int
    former_id: int | None = None
    started_at: datetime = NEVER


def on_branch(conversation_id: UUID, ids: Collection[int]) -> list[ChatSummary]:
    """Return the summaries that end at one of these messages, those of the fewest first."""
    return [each for each in _of_conversation.all(conversation_id) if each.last_message_id in ids]


@transaction.atomic
def claim(wanted: Claim) -> Claim | None:
    """Return the claim if this process is the one to write the summary, else None.

    Only one is written for a chat at a time.
    """
    if not _lock(wanted):
        return None
    known = ChatSummary.objects.filter(conversation=wanted.conversation_id)
    known.filter(text="", started_at__lt=Now() - CLAIMED_FOR).delete()
    if known.filter(Q(text="") | Q(pk=wanted.last_id)).exists():
        return None
    row = ChatSummary.objects.create(
        conversation_id=wanted.conversation_id,
        last_message_id=wanted.last_id,
        covered_messages=wanted.covered,
    )
    return replace(wanted, started_at=row.started_at)


@transaction.atomic
def store(claimed: Claim, text: str) -> bool:
    """Store the text of a claimed summary; return False if what it covers has changed."""
    if not _lock(claimed):
        return False
    if not _claimed(claimed).update(text=text):
        return False
    known = ChatSummary.objects.filter(conversation=claimed.conversation_id)
    old = known.order_by("-pk").values_list("pk", flat=True)[MAX_SUMMARIES:]
    known.filter(pk__in=list(old)).delete()
    return True


def release(claimed: Claim) -> None:
    """Let another process write the summary."""
    _claimed(claimed).delete()


def remove_covering(message: Message) -> None:
    """Remove what covers a message. Call it in a transaction that has locked the conversation."""
    known = ChatSummary.objects.filter(conversation=message.conversation_id)
    if known.exists():
        remove_ending_at(paths.ids_below(message.pk), with_held=True)


def remove_ending_at(message_ids: Sequence[int], *, with_held: bool = False) -> None:
    """Remove the summaries up to one of these messages.

    A deletion covers everything below a message, and so the end of each summary with that message.
    Those of held chats stay with the deleted messages, for staff only.
    """
    rows = ChatSummary.objects.filter(pk__in=message_ids)
    (rows if with_held else rows.exclude(_held())).delete()


def remove_of(conversations: QuerySet[Conversation]) -> None:
    """Remove the summaries of chats that are deleted, except for held ones."""
    ChatSummary.objects.filter(conversation__in=conversations).exclude(_held()).delete()


def last_of(conversation: Conversation, messages: Sequence[Message]) -> dict[int, str]:
    """Return the last summary that ends at one of these messages of a branch, by its id."""
    if conversation.stored_bytes < LEAST_MESSAGES * MESSAGE_BYTES:
        return {}
    rows = ChatSummary.objects.filter(pk__in=[each.pk for each in messages]).exclude(text="")
    return dict(rows.order_by("-pk").values_list("pk", "text")[:1])


def _claimed(claimed: Claim) -> QuerySet[ChatSummary]:
    """Select its row; none if it was removed, even if others have claimed the same since."""
    return ChatSummary.objects.filter(pk=claimed.last_id, text="", started_at=claimed.started_at)


def _held() -> Q:
    return Q(conversation__held_at__isnull=False) if settings.HOLD_MAX_DAYS else Q(pk__in=[])


def _lock(claimed: Claim) -> bool:
    """Lock the conversation; return whether all that the summary is based on still exists."""
    present = Conversation.objects.select_for_update(no_key=True)
    if present.filter(pk=claimed.conversation_id).first() is None:
        return False
    last = Message.objects.filter(
        pk=claimed.last_id, conversation=claimed.conversation_id, deleted_at=None
    )
    former = ChatSummary.objects.filter(pk=claimed.former_id).exclude(text="")
    return last.exists() and (claimed.former_id is None or former.exists())
