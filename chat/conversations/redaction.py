"""Redact messages on behalf of staff.

The text is moved out of the message rather than filtered where it is shown, so whatever reads a
message has nothing to show, send to a model, find or copy. Undoing a redaction moves it back.
"""

import re

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from chat.conversations import follow_ups
from chat.conversations.access import raise_revision
from chat.conversations.models import Conversation, Message, RedactedText
from chat.conversations.summaries import summaries
from chat.conversations.turns import title_from


@transaction.atomic
def redact(message: Message) -> list[tuple[Message, RedactedText]]:
    """Redact the message and its copies in chats that its owner branched off from this one.

    Return those that were not redacted yet, with their text. Stop a running answer first:
    `turns.finish_answer` stores its final text with the redacted one.
    """
    return [(each, _remove_text(each)) for each in _held(message) if each.hidden_at is None]


@transaction.atomic
def unredact(message: Message) -> list[tuple[Message, RedactedText]]:
    """Undo a redaction, including copies made since without text; return what is shown again."""
    own = RedactedText.objects.filter(message=message).first()
    shown = []
    for each in _held(message):
        words = RedactedText.objects.filter(message=each).first() or own
        if each.hidden_at and words:
            _restore_text(each, words)
            shown.append((each, words))
    return shown


def _held(message: Message) -> list[Message]:
    """Lock the message and its copies, including those of a copy in progress.

    A copy locks its originals, so the query is repeated until it finds no more.
    """
    held: list[Message] = []
    while True:
        copies = list(_with_copies(message).select_for_update(no_key=True, of=("self",)))
        if len(copies) == len(held):
            return copies
        held = copies


def _with_copies(message: Message) -> QuerySet[Message]:
    """Return the message, its original, and all copies of that original with the same owner."""
    family = Q(pk=message.original_id) | Q(copied_from=message.original_id)
    owner_id = message.conversation.owner_id
    return Message.objects.filter(family, conversation__owner=owner_id).order_by("id")


def _remove_text(message: Message) -> RedactedText:
    raise_revision(message.conversation_id)
    summaries.remove_covering(message)
    follow_ups.remove_about(message)
    conversation = Conversation.all_objects.get(pk=message.conversation_id)
    title = conversation.title if _is_title_from(conversation, message) else ""
    words, _ = RedactedText.objects.update_or_create(
        message=message,
        defaults={"text": message.text, "reasoning": message.reasoning, "title": title},
    )
    if title:
        Conversation.all_objects.filter(pk=conversation.pk).update(title="")
    Message.objects.filter(pk=message.pk).update(text="", reasoning="", hidden_at=Now())
    return words


def _restore_text(message: Message, words: RedactedText) -> None:
    raise_revision(message.conversation_id)
    Message.objects.filter(pk=message.pk).update(
        text=words.text, reasoning=words.reasoning, hidden_at=None
    )
    if words.title and words.message_id == message.pk:
        nameless = Conversation.all_objects.filter(pk=message.conversation_id, title="")
        nameless.update(title=words.title)
    RedactedText.objects.filter(message=message).delete()


def _is_title_from(conversation: Conversation, message: Message) -> bool:
    """Return whether the title was made from this message, here or in the original of a copy."""
    if conversation.is_title_generated:
        return message.parent is None or message.parent.parent_id is None
    made, title = title_from(message.text), conversation.title
    counted = re.fullmatch(r"(.*) \(\d+\)", title)
    return bool(made) and made in (title, counted[1] if counted else "")
