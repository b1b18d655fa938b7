"""Search conversations by title."""

from uuid import UUID

from django.db.models import Q

from chat.conversations.models import Conversation
from chat.conversations.search.tag_terms import with_tags

FOUND = 20
MAX_QUERY_CHARS = 200
MAX_WORDS = 8


def find_by_title(user_id: int, query: str, tags: tuple[UUID, ...] = ()) -> list[Conversation]:
    """Return the user's newest conversations whose titles contain every word of `query`.

    They have all `tags`.
    """
    conversations = with_tags(Conversation.objects.filter(owner=user_id), tags)
    for word in query[:MAX_QUERY_CHARS].split()[:MAX_WORDS]:
        conversations = conversations.filter(_has(word))
    return list(conversations.order_by("-updated_at", "-id")[:FOUND])


def _has(word: str) -> Q:
    """Match titles that contain the word in any case.

    SQLite ignores case for A to Z only, so several spellings of the word are tried.
    """
    spellings = {word, word.lower(), word.upper(), word.capitalize()}
    return Q(*(("title__icontains", each) for each in spellings), _connector=Q.OR)
