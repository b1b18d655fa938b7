"""The only door of the staff to what others said.

Whatever comes out of it is on record: each function takes who looks and why, and adds the rows in
the transaction that fetches. Nothing else of the review face asks for a conversation or a message.
What its owner has deleted is gone for the staff, too; what is out of their scope is `NotFound`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from chat.conversations import turns
from chat.conversations.access import message_of
from chat.conversations.models import Conversation, Message, Rating
from chat.conversations.tree import leaves, newest_leaf, path_to
from chat.errors import NotFound
from chat.relay.models import Generation
from chat.review import privacy
from chat.review.audit import Kind, Look, Seen, record

MOST_NEWS = 100  # messages at once
MOST_BRANCHES = 100  # in the list of them; arrows lead to all
Row = TypeVar("Row", Generation, Rating)


@dataclass(frozen=True, slots=True)
class Reading:
    """A stretch of one branch, with all that is known of it; `leaves` end its branches."""

    conversation: Conversation
    part: turns.Part
    generations: dict[int, list[Generation]]
    ratings: dict[int, list[Rating]]
    leaves: list[Message]  # the newest of them


@dataclass(frozen=True, slots=True)
class News:
    """What has come since; `is_elsewhere` where another branch is used now."""

    messages: list[Message]
    generations: dict[int, list[Generation]]
    is_elsewhere: bool = False


@transaction.atomic
def titles(look: Look, ids: Sequence[UUID]) -> list[Conversation]:
    """These conversations with their owners, in this order; their messages stay untouched."""
    found = _visible(look).filter(pk__in=ids).select_related("owner").in_bulk()
    shown = [found[each] for each in ids if each in found]
    record(look, Kind.LISTED, (Seen(each.owner_id, each.pk) for each in shown))
    return shown


@transaction.atomic
def hits(look: Look, ids: Sequence[int]) -> list[Message]:
    """These messages, for the few words around what was looked for, in this order."""
    found = Message.objects.filter(deleted_at=None, conversation__in=_visible(look), pk__in=ids)
    messages = found.select_related("conversation__owner").defer("reasoning").in_bulk()
    shown = [messages[each] for each in ids if each in messages]
    places = (Seen(each.conversation.owner_id, each.conversation_id, each.pk) for each in shown)
    record(look, Kind.FOUND, places)
    return shown


@transaction.atomic
def reading(
    look: Look, conversation_id: UUID, *, before: int | None = None, at: int | None = None
) -> Reading:
    """The end of the branch through message `at`, or what led to message `before`."""
    conversation = opened(look, conversation_id, Kind.READ, message_id=at or before)
    part = turns.shown_part(
        conversation,
        message_of(conversation, before) if before is not None else None,
        message_of(conversation, at) if at is not None else None,
    )
    return Reading(
        conversation,
        part,
        _by_message(Generation.objects.filter(message__in=part.messages).order_by("started_at")),
        _by_message(Rating.objects.filter(message__in=part.messages).select_related("user")),
        _ends_of_branches(conversation),
    )


@transaction.atomic
def opened(
    look: Look, conversation_id: UUID, kind: Kind, *, message_id: int | None = None
) -> Conversation:
    """The conversation itself, which is from now on known to whoever looks."""
    conversation = _visible(look).select_related("owner").filter(pk=conversation_id).first()
    if conversation is None:
        raise NotFound
    record(look, kind, [Seen(conversation.owner_id, conversation.pk, message_id)])
    return conversation


@transaction.atomic
def news(look: Look, conversation_id: UUID, after: int) -> News:
    """What follows message `after` by now; no row where nothing is shown."""
    conversation = _visible(look).filter(pk=conversation_id).first()
    if conversation is None:
        raise NotFound
    nodes = conversation.kept_messages.only("id", "parent_id", "role", "conversation_id")
    path = [node.pk for node in path_to(newest_leaf(list(nodes)), list(nodes))]
    if after and after not in path:
        return News([], {}, is_elsewhere=True)
    ids = path[path.index(after) + 1 :] if after else path
    found = conversation.messages.in_bulk(ids[:MOST_NEWS])
    shown = [found[pk] for pk in ids if pk in found]
    record(look, Kind.WATCHED, (Seen(conversation.owner_id, conversation.pk, m.pk) for m in shown))
    return News(
        shown, _by_message(Generation.objects.filter(message__in=shown).order_by("started_at"))
    )


@transaction.atomic
def watched(look: Look, conversation_id: UUID, generation_id: UUID) -> None:
    """Somebody begins to look on while this answer is written."""
    conversation = _visible(look).filter(pk=conversation_id).first()
    answers = Message.objects.filter(
        conversation=conversation, deleted_at=None, generations=generation_id
    )
    message_id = answers.values_list("pk", flat=True).first()
    if conversation is None or message_id is None:
        raise NotFound
    record(look, Kind.WATCHED, [Seen(conversation.owner_id, conversation.pk, message_id)])


def owner_of(look: Look, conversation_id: UUID) -> int:
    """Whose it is, by number, where it may be reviewed; nothing of it is shown."""
    owner = _visible(look).filter(pk=conversation_id).values_list("owner", flat=True).first()
    if owner is None:
        raise NotFound
    return owner


def exists(look: Look, conversation_id: UUID) -> bool:
    """Whether it may be reviewed. Nothing of it is shown, so nothing is recorded."""
    return _visible(look).filter(pk=conversation_id).exists()


def _visible(look: Look) -> QuerySet[Conversation]:
    privacy.require_open()
    return Conversation.objects.filter(look.reviewer.within("owner"))


def _ends_of_branches(conversation: Conversation) -> list[Message]:
    nodes = conversation.kept_messages.only("id", "parent_id", "role", "conversation_id")
    ids = [node.pk for node in leaves(nodes)[:MOST_BRANCHES]]
    found = Message.objects.defer("reasoning").in_bulk(ids)
    return [found[pk] for pk in ids]


def _by_message(rows: QuerySet[Row]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row.message_id, []).append(row)
    return found
