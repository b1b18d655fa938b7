"""Know for some seconds that a visitor, or the person who answers, is typing.

Open pages say so with the requests by which they ask for news, so this costs no request of its own
and is as rare as these. It is one flag in the cache that all processes share, and no text.
"""

from enum import StrEnum
from uuid import UUID

from django.core.cache import cache

from chat.database.optional_writes import go_on_without

#: Longer than the pause between two requests of a page.
SHOWN_SECONDS = 6


class TypingSide(StrEnum):
    VISITOR = "visitor"
    PERSON = "person"


def note(conversation_id: UUID, side: TypingSide, *, is_typing: bool) -> None:
    """Note that one side is typing, or has stopped."""
    with go_on_without():
        if is_typing:
            cache.set(_key(conversation_id, side), 1, SHOWN_SECONDS)
        else:
            cache.delete(_key(conversation_id, side))


def is_typing(conversation_id: UUID, side: TypingSide) -> bool:
    return cache.get(_key(conversation_id, side)) is not None


def _key(conversation_id: UUID, side: TypingSide) -> str:
    return f"typing:{conversation_id}:{side}"
