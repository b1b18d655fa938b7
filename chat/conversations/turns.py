"""Change conversations and read their branches. Each change is one transaction."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Subquery
from django.db.models.functions import Length
from django.utils import timezone

from chat.conversations.attached_files import split_files
from chat.conversations.list_state import set_state
from chat.conversations.models import TITLE_LENGTH, Conversation, Message, RedactedText
from chat.conversations.sizes.limits import require_capacity
from chat.conversations.tree import newest_leaf, path_to, subtree, versions
from chat.database.prepared import AnyOf, PreparedInsert, PreparedQuery, PreparedUpdate
from chat.lib.text import cut_at_word, one_line

#: Characters of a line that are looked at for a title, which is much shorter.
MAX_TITLE_LINE = 1_000
PART_LENGTH = 100  # messages per page
PART_CHARACTERS = 1_000_000  # characters per page, or one exchange
FOUND_CHARACTERS = 4_000_000  # characters, if the page reaches back to a message that was searched
MEASURED_FIRST = 10  # messages; doubled with each step

_insert_conversation, _insert_message = PreparedInsert(Conversation), PreparedInsert(Message)
_note = PreparedUpdate(
    lambda pk, updated_at, title: (
        Conversation.all_objects.filter(pk=pk),
        {"updated_at": updated_at, "title": title},
    )
)
_messages_of = PreparedQuery(lambda pk: Message.objects.filter(conversation=pk))
_last_of = PreparedQuery(
    lambda pk: Message.objects.filter(conversation=pk, deleted_at=None).order_by("-pk")[:1]
)
_lengths = PreparedQuery(
    lambda ids: Message.objects.filter(AnyOf("pk", ids)).values_list(
        "pk", Length("text") + Length("reasoning")
    )
)
_texts = PreparedQuery(
    lambda ids: (
        Message.objects.filter(AnyOf("pk", ids))
        .order_by("pk")
        .values_list("role", "text", "copied_from")
    )
)
_store_text = PreparedUpdate(
    lambda pk, text, reasoning: (
        Message.objects.filter(pk=pk, hidden_at=None),
        {"text": text, "reasoning": reasoning},
    )
)
_mark_unread = PreparedUpdate(
    lambda message_id: (
        Conversation.objects.filter(
            pk=Subquery(
                Message.objects.filter(pk=message_id, deleted_at=None).values("conversation")
            )
        ),
        {"is_unread": True},
    )
)


def start_conversation(
    user_id: int, api_key_id: int | None = None, first_question: str = ""
) -> Conversation:
    """Store a new conversation, named after its first question."""
    return insert_conversation(new_conversation(user_id, api_key_id, first_question))


def new_conversation(
    user_id: int, api_key_id: int | None = None, first_question: str = ""
) -> Conversation:
    """Return a conversation that is not stored yet, named after its first question."""
    return Conversation(owner_id=user_id, api_key=api_key_id, title=title_from(first_question))


def insert_conversation(conversation: Conversation) -> Conversation:
    return _insert_conversation.one(conversation)


@transaction.atomic(savepoint=False)
def post_question(
    conversation: Conversation,
    text: str,
    parent: Message | None,
    send_key: str | None = None,
    page_context: str = "",
    *,
    is_by_email: bool = False,
) -> Message:
    """Add a question after `parent`; the first one sets the conversation's title.

    `send_key` is set if no model answers. Raise `ConversationFull` if there is no room for the
    question and its answer.
    """
    require_capacity(message_count(conversation.pk) + 2)  # with its answer
    question = Message(
        conversation=conversation,
        parent=parent,
        role=Message.Role.USER,
        text=text,
        send_key=send_key,
        page_context=page_context,
        is_by_email=is_by_email,
    )
    return add_question(conversation, question)


@transaction.atomic(savepoint=False)
def add_question(conversation: Conversation, question: Message, *, is_new: bool = False) -> Message:
    """Store a question for which there is room. An archived conversation returns to the list.

    `is_new` says that the conversation was started with it, so nothing else has to be changed.
    """
    _insert_message.one(question)
    if not is_new:
        _note_question(conversation, question.text)
    return question


def _note_question(conversation: Conversation, text: str) -> None:
    """Move the conversation to the beginning of the list, and name it if it has no title."""
    conversation.updated_at = timezone.now()
    conversation.title = conversation.title or title_from(text)
    _note.run(conversation.pk, conversation.updated_at, conversation.title)
    if conversation.list_state == Conversation.ListState.ARCHIVED:
        set_state(conversation, Conversation.ListState.LISTED)


def add_answer(question: Message, *, has_room: bool = False) -> Message:
    """Add an empty answer to `question`, besides any others.

    Raise `ConversationFull`, unless `has_room` says that the limit was checked.
    """
    if not has_room:
        require_capacity(message_count(question.conversation_id) + 1)
    return _insert_message.one(
        Message(
            conversation_id=question.conversation_id, parent=question, role=Message.Role.ASSISTANT
        )
    )


def message_count(conversation_id: UUID) -> int:
    """Return the number of messages, deleted ones included."""
    return _messages_of.count(conversation_id)


def finish_answer(message_id: int, text: str, reasoning: str) -> None:
    """Store the final text of an answer, and mark its conversation unread.

    The text of a redacted message goes to its `RedactedText`. Call it inside a transaction.
    """
    if not _store_text.run(message_id, text, reasoning):
        RedactedText.objects.filter(message=message_id).update(text=text, reasoning=reasoning)
    _mark_unread.run(message_id)


def stored_text(message_id: int) -> Message | RedactedText:
    """Return the row that holds this message's text and reasoning, redacted or not."""
    hidden = RedactedText.objects.filter(message=message_id).first()
    return hidden or Message.objects.only("text", "reasoning").get(pk=message_id)


def mark_read(conversation: Conversation) -> None:
    """Clear the conversation's unread mark."""
    if conversation.is_unread:
        conversation.is_unread = False
        conversation.save(update_fields=["is_unread"])


def rename(conversation: Conversation, title: str) -> None:
    """Set a conversation's title, shortened to `TITLE_LENGTH`; an empty one changes nothing."""
    title = one_line(title)[:TITLE_LENGTH]
    if title and title != conversation.title:
        conversation.title, conversation.is_title_generated = title, False
        conversation.save(update_fields=["title", "is_title_generated"])


@dataclass(frozen=True, slots=True)
class BranchPart:
    """A part of one branch, in order, and whether there are earlier messages.

    `versions` maps each message with alternatives to all of them, oldest first. `is_newest` is
    False if another branch was used later.
    """

    messages: list[Message]
    has_earlier: bool
    versions: dict[int, list[int]]
    is_newest: bool


def last_message(conversation: Conversation) -> Message | None:
    """Return the last message of the branch used last; None if there is none."""
    return _last_of.first(conversation.pk)


def branch_part(
    conversation: Conversation,
    before: Message | None = None,
    at: Message | None = None,
    *,
    with_deleted: bool = False,
) -> BranchPart:
    """Return the end of a branch, or the part before `before`; it begins with a question.

    The branch is the one used last, among all or among those through `at`. The part reaches back to
    `at`, unless that exceeds a page.
    """
    # The conversation's id is selected as well: Django would otherwise load it row by row.
    among = conversation.messages if with_deleted else conversation.visible_messages
    nodes = list(among.only("id", "parent_id", "role", "conversation_id"))
    newest = newest_leaf(nodes)
    leaf = newest_leaf(subtree(at.pk, nodes)) if at else newest
    path = path_to(before.parent_id if before else leaf, nodes)
    least = _start([node.pk for node in path], at)
    ids = [node.pk for node in path[least:]]
    messages = load_messages(newest_ids(ids, FOUND_CHARACTERS if at else PART_CHARACTERS))
    start = len(path) - len(messages)
    while start and path[start].role != Message.Role.USER:
        start -= 1
    shown = [node.pk for node in path[start:]]
    missing = shown[: len(shown) - len(messages)]
    messages = [*load_messages(missing), *messages]
    places = versions(nodes)
    return BranchPart(
        messages,
        has_earlier=start > 0,
        versions={pk: places[pk] for pk in shown if len(places[pk]) > 1},
        is_newest=leaf == newest,
    )


def _start(path: list[int], at: Message | None) -> int:
    start = max(0, len(path) - PART_LENGTH)
    return min(start, path.index(at.pk)) if at and at.pk in path else start


def newest_ids(ids: list[int], most_characters: int, *, and_one: bool = False) -> list[int]:
    """Return the end of a path that fits into so many characters, at least one message.

    A long chat may have more text than should be in memory at once. `and_one` adds the first
    message that does not fit.
    """
    start, characters, count = len(ids), 0, MEASURED_FIRST
    while start:
        lengths = lengths_of(ids[max(0, start - count) : start])
        for pk in reversed(ids[max(0, start - count) : start]):
            characters += lengths[pk]
            if characters > most_characters and start < len(ids):
                return ids[start - and_one :]
            start -= 1
        count *= 2
    return ids


def lengths_of(ids: list[int]) -> dict[int, int]:
    """Return the length of each message in characters, reasoning included."""
    return dict(_lengths.all(ids))


def load_messages(ids: list[int], *, to_copy: bool = False) -> list[Message]:
    """Return the messages in the order of `ids`.

    With `to_copy`, lock them until the copy is stored, so that a concurrent redaction
    (`redaction.redact`) covers the copies too.
    """
    if to_copy:  # always in the same order, to avoid deadlocks
        held = Message.objects.order_by("id").select_for_update(no_key=True)
        by_id = {each.pk: each for each in held.filter(pk__in=ids)}
    else:
        by_id = Message.objects.in_bulk(ids)
    return [by_id[pk] for pk in ids]


def texts_of(ids: list[int]) -> list[tuple[str, str, int | None]]:
    """Return the role and text of these messages, oldest first, and what they are copies of."""
    return _texts.all(ids)


def path_of(message: Message) -> list[Message]:
    """Return the path down to `message`, without texts, which are loaded on access."""
    nodes = Message.objects.filter(conversation=message.conversation_id, deleted_at=None)
    return path_to(message.pk, nodes.only("id", "parent_id", "role", "conversation_id"))


def title_from(text: str, length: int = 60) -> str:
    """Return a title: the first line of a question, cut at a word. Attached files give none."""
    rows = split_files(text).text.splitlines()
    line = next(filter(None, (one_line(row.strip()[:MAX_TITLE_LINE]) for row in rows)), "")
    return cut_at_word(line, length)
