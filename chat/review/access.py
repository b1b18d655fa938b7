"""The only door of the staff to what others said.

Whatever comes out of it is on record: each function takes who looks and why, and adds the rows in
the transaction that fetches. Nothing else of the review face asks for a conversation or a message.
What its owner has deleted is gone for the staff, too, but for what is held: that is within reach of
those who lead. What is out of their scope is `NotFound`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from chat.conversations import turns
from chat.conversations.access import message_of
from chat.conversations.holding import kept
from chat.conversations.models import Conversation, HiddenWords, Message, Rating
from chat.conversations.tree import leaves
from chat.errors import NotFound
from chat.relay.models import Generation
from chat.review import privacy
from chat.review.audit import Kind, Look, Seen, record
from chat.review.roles import Role

MOST_BRANCHES = 100  # in the list of them; arrows lead to all
MOST_HELD = 100  # in the list on a person's page
Row = TypeVar("Row", Generation, Rating)


@dataclass(frozen=True, slots=True)
class Reading:
    """A stretch of one branch, with all that is known of it; `leaves` end its branches."""

    conversation: Conversation
    part: turns.Part
    generations: dict[int, list[Generation]]
    ratings: dict[int, list[Rating]]
    leaves: list[Message]  # the newest of them
    hidden: dict[int, HiddenWords]  # what hidden messages say


@transaction.atomic
def titles(look: Look, ids: Sequence[UUID]) -> list[Conversation]:
    """These conversations with their owners, in this order; their messages stay untouched."""
    found = _visible(look).filter(pk__in=ids).select_related("owner__visitor__site").in_bulk()
    shown = [found[each] for each in ids if each in found]
    record(look, Kind.LISTED, (Seen(each.owner_id, each.pk) for each in shown))
    return shown


@transaction.atomic
def hits(look: Look, ids: Sequence[int]) -> list[Message]:
    """These messages, for the few words around what was looked for, in this order."""
    found = Message.objects.filter(deleted_at=None, conversation__in=_visible(look), pk__in=ids)
    messages = (
        found.select_related("conversation__owner__visitor__site").defer("reasoning").in_bulk()
    )
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
    with_deleted = _reads_deleted(look) and conversation.held_at is not None
    is_deleted = None if with_deleted else False
    part = turns.shown_part(
        conversation,
        message_of(conversation, before, is_deleted=is_deleted) if before is not None else None,
        message_of(conversation, at, is_deleted=is_deleted) if at is not None else None,
        with_deleted=with_deleted,
    )
    return Reading(
        conversation,
        part,
        _by_message(Generation.objects.filter(message__in=part.messages).order_by("started_at")),
        _by_message(
            Rating.objects.filter(message__in=part.messages).select_related("user__visitor__site")
        ),
        _ends_of_branches(conversation),
        {each.pk: each for each in HiddenWords.objects.filter(message__in=part.messages)},
    )


@transaction.atomic
def opened(
    look: Look, conversation_id: UUID, kind: Kind, *, message_id: int | None = None
) -> Conversation:
    """The conversation itself, which is from now on known to whoever looks."""
    conversation = (
        _visible(look).select_related("owner__visitor__site").filter(pk=conversation_id).first()
    )
    if conversation is None:
        raise NotFound
    record(look, kind, [Seen(conversation.owner_id, conversation.pk, message_id)])
    return conversation


def conversation_to_act_on(look: Look, conversation_id: UUID) -> Conversation:
    """Nothing of it is shown; what is done to it is a deed."""
    conversation = _visible(look).select_related("owner").filter(pk=conversation_id).first()
    if conversation is None:
        raise NotFound
    return conversation


def held_chats(look: Look, person_id: int) -> list[Conversation]:
    """Titles of what is held of somebody's, also of what they deleted."""
    held = _visible(look).filter(owner=person_id, held_at__isnull=False)
    return titles(look, list(held.order_by("-updated_at").values_list("pk", flat=True)[:MOST_HELD]))


def exists(look: Look, conversation_id: UUID) -> bool:
    """Whether it may be reviewed. Nothing of it is shown, so nothing is recorded."""
    return _visible(look).filter(pk=conversation_id).exists()


def _visible(look: Look) -> QuerySet[Conversation]:
    privacy.require_open()
    found = Conversation.everything.filter(look.reviewer.within("owner"))
    present = Q(goes_at=None)
    return found.filter(present | kept() if _reads_deleted(look) else present)


def _reads_deleted(look: Look) -> bool:
    return look.reviewer.role >= Role.LEAD


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
