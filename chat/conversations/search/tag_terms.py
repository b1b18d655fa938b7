"""Read `tag:name` and `tag:"a name"` in a search: only chats with all these tags are found."""

import re
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from chat.conversations.models import Conversation, Message
from chat.conversations.search.position import message_at
from chat.projects.access import tags_of
from chat.projects.models import ChatTag

MAX_TAGS = 4  # in one search
MAX_QUERY_CHARS = 200
_TERM = re.compile(r'(?i)(?<!\S)tag:(?:["“”„]([^"“”„]*)["“”„]?|(\S*))')


@dataclass(frozen=True, slots=True)
class TaggedQuery:
    """A search: its text without tags, and the tags. None of them exists if `is_unknown`."""

    text: str
    tags: tuple[UUID, ...] = ()
    is_unknown: bool = False


def read_tags(user_id: int, text: str) -> TaggedQuery:
    """Return the search that a user typed. One without tags reads no database."""
    text = text[:MAX_QUERY_CHARS]
    names = [ChatTag.fold(quoted or word) for quoted, word in _TERM.findall(text)]
    if not any(names):
        return TaggedQuery(text)
    wanted = set(filter(None, names[:MAX_TAGS]))
    tag_ids = tags_of(user_id).filter(folded_name__in=wanted).values_list("pk", flat=True)
    tags = tuple(tag_ids)
    return TaggedQuery(_TERM.sub(" ", text).strip(), tags, is_unknown=len(tags) < len(wanted))


def term_of(name: str) -> str:
    """Return the term that finds chats with this tag."""
    return f'tag:"{name}"' if " " in name else f"tag:{name}"


def with_tags(
    conversations: QuerySet[Conversation], tags: tuple[UUID, ...]
) -> QuerySet[Conversation]:
    """Return those conversations that have all tags."""
    for tag in tags:
        conversations = conversations.filter(tags=tag)
    return conversations


def places_with_tags(places: list[int], tags: tuple[UUID, ...]) -> list[int]:
    """Return those positions of messages whose conversations have all tags, in their order."""
    messages = Message.objects.filter(pk__in=[message_at(place) for place in places])
    for tag in tags:
        messages = messages.filter(conversation__tags=tag)
    kept = set(messages.values_list("pk", flat=True))
    return [place for place in places if message_at(place) in kept]
