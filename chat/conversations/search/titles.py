"""Search conversations by title."""

from uuid import UUID

from chat.conversations.models import Conversation
from chat.conversations.search.tag_terms import with_tags
from chat.database.any_case import contains

FOUND = 20
MAX_QUERY_CHARS = 200
MAX_WORDS = 8


def find_by_title(user_id: int, query: str, tags: tuple[UUID, ...] = ()) -> list[Conversation]:
    """Return the user's newest conversations whose titles contain every word of `query`.

    They have all `tags`.
    """
    conversations = with_tags(Conversation.objects.filter(owner=user_id), tags)
    for word in query[:MAX_QUERY_CHARS].split()[:MAX_WORDS]:
        conversations = conversations.filter(contains("title", word))
    return list(conversations.order_by("-updated_at", "-id")[:FOUND])
