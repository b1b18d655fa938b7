"""Give staff access to other people's conversations, and log it.

The staff's pages read conversations and messages only through this module. Each function takes a
`StaffContext` (who and why) and adds the log entries in the transaction that reads. What its owner
deleted is gone for staff too, unless it is on legal hold: then leads can read it. Whatever is
outside the reader's scope raises `NotFound`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from chat.conversations import turns
from chat.conversations.access import message_of
from chat.conversations.images.access import file_in, image_in
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.legal_hold import retained
from chat.conversations.models import Conversation, Message, Rating, RedactedText
from chat.conversations.sources import sources
from chat.conversations.summaries import summaries
from chat.conversations.tool_calls import calls as tool_calls
from chat.conversations.tree import leaves, newest_leaf, path_to
from chat.errors import NotFound
from chat.generations.answers import generations_of
from chat.generations.models import Generation
from chat.review.access_log.staff_context import Kind, Seen, StaffContext, record_access
from chat.review.case_models import Case, with_flags
from chat.review.language_models import languages_of
from chat.review.personal_data_models import kinds_of
from chat.review.staff import privacy
from chat.review.staff.roles import Reviewer, Role
from chat.review.verdict_models import MessageVerdict

MAX_NEW_MESSAGES = 100  # messages per request
MAX_BRANCHES = 100  # in the list of branches; arrows lead to all of them
MAX_HELD = 100  # in the list on a person's page
MAX_CASES = 5  # shown beside a chat, newest first
Row = TypeVar("Row", Generation, Rating)
#: What the functions return, for type hints in pages, which don't import the models themselves.
ReadConversation: TypeAlias = Conversation
ReadMessage: TypeAlias = Message


@dataclass(frozen=True, slots=True)
class BranchReading:
    """Part of a branch, with all that staff see beside it; `leaves` are all branches' ends."""

    conversation: Conversation
    part: turns.BranchPart
    generations: dict[int, list[Generation]]
    ratings: dict[int, list[Rating]]
    leaves: list[Message]  # the newest of them
    hidden: dict[int, RedactedText]  # original text of hidden messages that they may see, by ID
    summaries: dict[int, str]  # what models get in place of the messages up to one, by its ID
    verdicts: dict[int, MessageVerdict]
    personal_data: dict[int, dict[str, int]]  # how many values of each kind, by message
    languages: dict[int, str]  # of the messages whose language was told
    cases: list[Case]  # newest first, each with its newest flags
    flagged: set[int]  # IDs of flagged messages that still exist


@dataclass(frozen=True, slots=True)
class NewMessages:
    """New messages of a chat; `is_elsewhere` if the owner has switched to another branch."""

    messages: list[Message]
    generations: dict[int, list[Generation]]
    is_elsewhere: bool = False


@transaction.atomic
def read_titles(staff_context: StaffContext, ids: Sequence[UUID]) -> list[Conversation]:
    """Return these conversations with their owners, in this order. Messages are not loaded."""
    rows = _visible(staff_context).select_related("owner__visitor__site")
    conversations = rows.in_bulk(ids)
    shown = [conversations[each] for each in ids if each in conversations]
    record_access(staff_context, Kind.LISTED, (Seen(each.owner_id, each.pk) for each in shown))
    return shown


@transaction.atomic
def read_hits(staff_context: StaffContext, ids: Sequence[int]) -> list[Message]:
    """Return these messages, in this order, for snippets in search results."""
    rows = Message.objects.filter(deleted_at=None, conversation__in=_visible(staff_context))
    rows = rows.select_related("conversation__owner__visitor__site").defer("reasoning")
    messages = rows.in_bulk(ids)
    shown = [messages[each] for each in ids if each in messages]
    places = (Seen(each.conversation.owner_id, each.conversation_id, each.pk) for each in shown)
    record_access(staff_context, Kind.FOUND, places)
    return shown


@transaction.atomic
def read_branch(
    staff_context: StaffContext,
    conversation_id: UUID,
    *,
    before: int | None = None,
    at: int | None = None,
) -> BranchReading:
    """Return the end of the branch through message `at`, or the turns before message `before`."""
    conversation = open_conversation(
        staff_context, conversation_id, Kind.READ, message_id=at or before
    )
    with_deleted = reads_deleted(staff_context.reviewer) and conversation.held_at is not None
    is_deleted = None if with_deleted else False
    part = turns.branch_part(
        conversation,
        message_of(conversation, before, is_deleted=is_deleted) if before is not None else None,
        message_of(conversation, at, is_deleted=is_deleted) if at is not None else None,
        with_deleted=with_deleted,
    )
    sources.prefetch(part.messages)
    tool_calls.prefetch(part.messages)
    redacted = RedactedText.objects.filter(_seen_by(staff_context, "message__"))
    cases = with_flags(conversation.cases.select_related("assignee", "resolved_by"))[:MAX_CASES]
    return BranchReading(
        conversation,
        part,
        _by_message(generations_of(part.messages)),
        _by_message(
            Rating.objects.filter(message__in=part.messages).select_related("user__visitor__site")
        ),
        _ends_of_branches(conversation),
        {each.pk: each for each in redacted.filter(message__in=part.messages)},
        summaries.last_of(conversation, part.messages),
        MessageVerdict.objects.in_bulk([each.pk for each in part.messages]),
        kinds_of([each.pk for each in part.messages]),
        languages_of([each.pk for each in part.messages]),
        list(cases),
        _there_still(conversation, cases),
    )


@transaction.atomic
def open_conversation(
    staff_context: StaffContext, conversation_id: UUID, kind: Kind, *, message_id: int | None = None
) -> Conversation:
    """Return the conversation and log the access as `kind`. Raise `NotFound`."""
    conversation = (
        _visible(staff_context)
        .select_related("owner__visitor__site")
        .filter(pk=conversation_id)
        .first()
    )
    if conversation is None:
        raise NotFound
    record_access(staff_context, kind, [Seen(conversation.owner_id, conversation.pk, message_id)])
    return conversation


def conversation_for_action(staff_context: StaffContext, conversation_id: UUID) -> Conversation:
    """Return the conversation for an action, which is logged instead. Raise `NotFound`."""
    conversation = (
        _visible(staff_context).select_related("owner").filter(pk=conversation_id).first()
    )
    if conversation is None:
        raise NotFound
    return conversation


def read_held_chats(staff_context: StaffContext, person_id: int) -> list[Conversation]:
    """Return a person's chats on legal hold, including deleted ones; logged as titles."""
    held = _visible(staff_context).filter(owner=person_id, held_at__isnull=False)
    return read_titles(
        staff_context, list(held.order_by("-updated_at").values_list("pk", flat=True)[:MAX_HELD])
    )


@transaction.atomic
def read_new_messages(
    staff_context: StaffContext, conversation_id: UUID, after: int
) -> NewMessages:
    """Return the messages after message `after`; logs nothing if there are none."""
    conversation = _visible(staff_context).filter(pk=conversation_id).first()
    if conversation is None:
        raise NotFound
    nodes = conversation.visible_messages.only("id", "parent_id", "role", "conversation_id")
    path = [node.pk for node in path_to(newest_leaf(list(nodes)), list(nodes))]
    if after and after not in path:
        return NewMessages([], {}, is_elsewhere=True)
    ids = path[path.index(after) + 1 :] if after else path
    messages = conversation.messages.in_bulk(ids[:MAX_NEW_MESSAGES])
    shown = [messages[pk] for pk in ids if pk in messages]
    seen = (Seen(conversation.owner_id, conversation.pk, each.pk) for each in shown)
    record_access(staff_context, Kind.WATCHED, seen)
    sources.prefetch(shown)
    tool_calls.prefetch(shown)
    return NewMessages(shown, _by_message(generations_of(shown)))


@transaction.atomic
def record_watch(staff_context: StaffContext, conversation_id: UUID, generation_id: UUID) -> None:
    """Log that a staff member starts to watch this answer being written. Raise `NotFound`."""
    conversation = _visible(staff_context).filter(pk=conversation_id).first()
    answers = Message.objects.filter(
        _seen_by(staff_context),
        conversation=conversation,
        deleted_at=None,
        generations=generation_id,
    )
    message_id = answers.values_list("pk", flat=True).first()
    if conversation is None or message_id is None:
        raise NotFound
    seen = Seen(conversation.owner_id, conversation.pk, message_id)
    record_access(staff_context, Kind.WATCHED, [seen])


def owner_of(staff_context: StaffContext, conversation_id: UUID) -> int:
    """Return the owner's ID if the chat may be reviewed. Raise `NotFound`. Nothing is logged."""
    owner = (
        _visible(staff_context).filter(pk=conversation_id).values_list("owner", flat=True).first()
    )
    if owner is None:
        raise NotFound
    return owner


def exists(staff_context: StaffContext, conversation_id: UUID) -> bool:
    """Return True if the chat may be reviewed. It shows no content, so nothing is logged."""
    return _visible(staff_context).filter(pk=conversation_id).exists()


def in_scope_of(reviewer: Reviewer, conversation: str = "") -> Q:
    """Return the condition for what `reviewer` may read; `conversation` is a lookup prefix."""
    privacy.require_reading_allowed()
    present = Q(**{f"{conversation}purge_after": None})
    if reads_deleted(reviewer):
        present |= retained(conversation, since=f"{conversation}purge_after")
    return present & reviewer.within(f"{conversation}owner")


def _seen_by(staff_context: StaffContext, message: str = "") -> Q:
    """Return the condition for messages that staff have not hidden from this reader."""
    return Q() if staff_context.reviewer.reads_hidden else Q(**{f"{message}hidden_at": None})


def _visible(staff_context: StaffContext) -> QuerySet[Conversation]:
    return Conversation.all_objects.filter(in_scope_of(staff_context.reviewer))


def reads_deleted(reviewer: Reviewer) -> bool:
    """Return whether `reviewer` reads what its owner deleted, if it is on legal hold."""
    return reviewer.role >= Role.LEAD


def _there_still(conversation: Conversation, cases: Iterable[Case]) -> set[int]:
    flags = (flag for case in cases for flag in case.newest_flags)
    about = {each.message for each in flags if each.message is not None}
    messages = conversation.visible_messages.filter(pk__in=about)
    return set(messages.values_list("pk", flat=True))


def _ends_of_branches(conversation: Conversation) -> list[Message]:
    nodes = conversation.visible_messages.only("id", "parent_id", "role", "conversation_id")
    ids = [node.pk for node in leaves(nodes)[:MAX_BRANCHES]]
    messages = Message.objects.defer("reasoning").in_bulk(ids)
    return [messages[pk] for pk in ids]


def _by_message(rows: Iterable[Row]) -> dict[int, list[Row]]:
    rows_of: dict[int, list[Row]] = {}
    for row in rows:
        rows_of.setdefault(row.message_id, []).append(row)
    return rows_of


@transaction.atomic
def read_image(staff_context: StaffContext, conversation_id: UUID, digest: str) -> StoredImage:
    """Return an image of a message that the reader sees. Raise `NotFound`."""
    return _read_attached(staff_context, conversation_id, digest, image_in)


@transaction.atomic
def read_file(staff_context: StaffContext, conversation_id: UUID, digest: str) -> StoredImage:
    """Return the original of a question's file, like `read_image`."""
    return _read_attached(staff_context, conversation_id, digest, file_in)


def _read_attached(
    staff_context: StaffContext,
    conversation_id: UUID,
    digest: str,
    found_in: Callable[[QuerySet[MessageImage], str], StoredImage],
) -> StoredImage:
    conversation = conversation_for_action(staff_context, conversation_id)
    seen = _seen_by(staff_context, "message__")
    uses = MessageImage.objects.filter(seen, message__conversation=conversation)
    if not (reads_deleted(staff_context.reviewer) and conversation.held_at):
        uses = uses.filter(message__deleted_at=None)
    image = found_in(uses, digest)
    message_id = uses.filter(image=image).values_list("message", flat=True).first()
    record_access(
        staff_context, Kind.READ, [Seen(conversation.owner_id, conversation.pk, message_id)]
    )
    return image
