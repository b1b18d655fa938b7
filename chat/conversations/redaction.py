"""Messages that the staff has hidden.

Their words are taken out of the message, not left away where it is shown: whatever reads a message
has nothing to show, to send to a model, to find or to copy. Taking it back puts them in again.
"""

import re

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from chat.conversations.models import Conversation, Message, RedactedText
from chat.conversations.turns import title_from


@transaction.atomic
def hide(message: Message) -> list[tuple[Message, RedactedText]]:
    """The message, and its copies in chats that its owner branched off from this one.

    Return those that were not hidden yet, with what they said. Stop an answer that is being written
    first: `turns.finish_answer` stores its end where the hidden words are.
    """
    return [(each, _take_words(each)) for each in _held(message) if each.hidden_at is None]


@transaction.atomic
def show(message: Message) -> list[tuple[Message, RedactedText]]:
    """As if it had not been hidden; also what was copied since, without words."""
    own = RedactedText.objects.filter(message=message).first()
    shown = []
    for each in _held(message):
        words = RedactedText.objects.filter(message=each).first() or own
        if each.hidden_at and words:
            _give_words(each, words)
            shown.append((each, words))
    return shown


def _held(message: Message) -> list[Message]:
    """It and its copies, also one that is being made: who makes it holds what it is made from."""
    held: list[Message] = []
    while True:
        found = list(_with_copies(message).select_for_update(no_key=True, of=("self",)))
        if len(found) == len(held):
            return found
        held = found


def _with_copies(message: Message) -> QuerySet[Message]:
    """It, its original and all copies of that one which belong to the same owner."""
    family = Q(pk=message.original_id) | Q(copied_from=message.original_id)
    owner_id = message.conversation.owner_id
    return Message.objects.filter(family, conversation__owner=owner_id).order_by("id")


def _take_words(message: Message) -> RedactedText:
    conversation = Conversation.all_objects.get(pk=message.conversation_id)
    title = conversation.title if _is_made_from(conversation.title, message) else ""
    words, _ = RedactedText.objects.update_or_create(
        message=message,
        defaults={"text": message.text, "reasoning": message.reasoning, "title": title},
    )
    if title:
        Conversation.all_objects.filter(pk=conversation.pk).update(title="")
    Message.objects.filter(pk=message.pk).update(text="", reasoning="", hidden_at=Now())
    return words


def _give_words(message: Message, words: RedactedText) -> None:
    Message.objects.filter(pk=message.pk).update(
        text=words.text, reasoning=words.reasoning, hidden_at=None
    )
    if words.title and words.message_id == message.pk:
        nameless = Conversation.all_objects.filter(pk=message.conversation_id, title="")
        nameless.update(title=words.title)
    RedactedText.objects.filter(message=message).delete()


def _is_made_from(title: str, message: Message) -> bool:
    """Whether a question has named its conversation, or that of which it is a copy."""
    made = title_from(message.text)
    counted = re.fullmatch(r"(.*) \(\d+\)", title)
    return bool(made) and made in (title, counted[1] if counted else "")
