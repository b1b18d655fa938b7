"""What can be done with a conversation. Each verb is one transaction."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from chat.conversations.models import TITLE_LENGTH, Conversation, Message
from chat.conversations.places import put
from chat.conversations.tree import newest_leaf, path_to

PART_LENGTH = 100  # messages that a page shows at once


def start_conversation(user_id: int) -> Conversation:
    return Conversation.objects.create(owner_id=user_id)


@transaction.atomic
def post_question(conversation: Conversation, text: str, parent: Message | None) -> Message:
    """Adds a question after `parent`; the first one names the conversation.

    A conversation that goes on is no longer put away.
    """
    question = conversation.messages.create(parent=parent, role=Message.Role.USER, text=text)
    conversation.updated_at = timezone.now()
    conversation.title = conversation.title or title_from(text)
    conversation.save(update_fields=["updated_at", "title"])
    if conversation.place == Conversation.Place.ARCHIVED:
        put(conversation, Conversation.Place.LISTED)
    return question


def add_answer(question: Message) -> Message:
    """An empty answer to `question`, beside any other."""
    return Message.objects.create(
        conversation_id=question.conversation_id, parent=question, role=Message.Role.ASSISTANT
    )


def rename(conversation: Conversation, title: str) -> None:
    conversation.title = " ".join(title.split())[:TITLE_LENGTH] or conversation.title
    conversation.save(update_fields=["title"])


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of one branch, in order, and whether there is more before it."""

    messages: list[Message]
    has_earlier: bool


def last_said(conversation: Conversation) -> Message | None:
    """The end of the branch that was used last."""
    return conversation.messages.order_by("id").last()


def shown_part(conversation: Conversation, before: Message | None = None) -> Part:
    """The end of the branch that was used last, or what led to `before`; begins with a question."""
    # Not by `conversation.messages`: that asks each of them for its conversation, one by one.
    every = Message.objects.filter(conversation=conversation)
    nodes = list(every.only("id", "parent_id", "role"))
    path = path_to(before.parent_id if before else newest_leaf(nodes), nodes)
    start = max(0, len(path) - PART_LENGTH)
    while start and path[start].role != Message.Role.USER:
        start -= 1
    found = every.in_bulk([node.pk for node in path[start:]])
    return Part([found[node.pk] for node in path[start:]], has_earlier=start > 0)


def path_of(message: Message) -> list[Message]:
    """From the first message down to `message`."""
    return path_to(message.pk, Message.objects.filter(conversation_id=message.conversation_id))


def title_from(text: str, length: int = 60) -> str:
    """The first line of a question, cut at a word."""
    line = next((" ".join(row.split()) for row in text.splitlines() if row.strip()), "")
    if len(line) <= length:
        return line
    words, _, _ = line[:length].rpartition(" ")
    return f"{words or line[:length]}…"
