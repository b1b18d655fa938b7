"""Redact messages in shared copies too, and undo it."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from chat.conversations.models import Message, RedactedText
from chat.sharing.models import SharedLink


@transaction.atomic
def redact(message: Message, words: RedactedText) -> None:
    """Remove a redacted message's text, and a title made from it, from shared links."""
    for link in _links_with(message):
        turns = _turns_of(message, link)
        for turn in turns:
            turn["hidden"], turn["text"] = True, ""
            turn.pop("reasoning", None)
        if turns or (words.title and link.title == words.title):
            link.title = "" if link.title == words.title else link.title
            link.save(update_fields=["turns", "title"])


@transaction.atomic
def unredact(message: Message, words: RedactedText) -> None:
    """Restore the text of a message whose redaction was undone, and the title, in shared links."""
    for link in _links_with(message):
        turns = [turn for turn in _turns_of(message, link) if turn.get("hidden")]
        for turn in turns:
            del turn["hidden"]
            turn["text"] = words.text
            if link.has_reasoning and words.reasoning:
                turn["reasoning"] = words.reasoning
        if turns:
            link.title = link.title or words.title
            link.save(update_fields=["turns", "title"])


def _links_with(message: Message) -> QuerySet[SharedLink]:
    """Lock the links to a message's chat: their owner may be updating one."""
    links = SharedLink.objects.select_for_update(no_key=True, of=("self",))
    return links.filter(conversation=message.conversation_id)


def _turns_of(message: Message, link: SharedLink) -> list[dict[str, Any]]:
    """Return the link's turns that were copied from this message."""
    return [turn for turn in link.turns if turn.get("message") == message.original_id]
