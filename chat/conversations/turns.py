"""What can be done with a conversation. Each verb is one transaction."""

from django.db import transaction
from django.utils import timezone

from chat.conversations.models import TITLE_LENGTH, Conversation, Message
from chat.conversations.tree import newest_leaf, path_to


def start_conversation(user_id: int) -> Conversation:
    return Conversation.objects.create(owner_id=user_id)


@transaction.atomic
def post_question(conversation: Conversation, text: str, parent: Message | None) -> Message:
    """Adds a question after `parent`; the first one names the conversation."""
    question = conversation.messages.create(parent=parent, role=Message.Role.USER, text=text)
    conversation.updated_at = timezone.now()
    conversation.title = conversation.title or title_from(text)
    conversation.save(update_fields=["updated_at", "title"])
    return question


def add_answer(question: Message) -> Message:
    """An empty answer to `question`, beside any other."""
    return Message.objects.create(
        conversation_id=question.conversation_id, parent=question, role=Message.Role.ASSISTANT
    )


def rename(conversation: Conversation, title: str) -> None:
    conversation.title = " ".join(title.split())[:TITLE_LENGTH] or conversation.title
    conversation.save(update_fields=["title"])


def delete(conversation: Conversation) -> None:
    conversation.delete()


def shown_path(conversation: Conversation) -> list[Message]:
    """The branch that was used last, from its first message."""
    messages = list(conversation.messages.all())
    return path_to(newest_leaf(messages), messages)


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
