"""Search a user's own messages by their words."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import connection

from chat.conversations.models import Message
from chat.conversations.search import postgres, sqlite
from chat.conversations.search.position import LAST, message_at
from chat.conversations.search.query import Query
from chat.conversations.search.snippet import SnippetPiece, snippet
from chat.conversations.search.time_limit import Deadline, time_limit

PAGE_LENGTH = 20
MAX_RANKED = 1000  # ranking reads each hit, so only the newest are ranked


class Order(StrEnum):
    """The order of hits: newest first, or best match first."""

    NEWEST = "newest"
    BEST = "best"


@dataclass(frozen=True, slots=True)
class Cursor:
    """The start of a page: after `skip` hits before the position `before`."""

    before: int = LAST
    skip: int = 0


BEGINNING = Cursor()


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that matches, and its snippet."""

    message: Message
    pieces: list[SnippetPiece]


@dataclass(frozen=True, slots=True)
class FoundMessages:
    """A page of hits and the start of the next one.

    `is_cut` says that only the newest hits were ranked.
    """

    hits: list[Hit]
    next: Cursor | None = None
    is_cut: bool = False


#: Positions of the hits, the start of the next page, and whether only the newest were ranked.
Page = tuple[list[int], Cursor | None, bool]


def find_messages(
    user_id: int, query: Query, order: Order, cursor: Cursor = BEGINNING
) -> FoundMessages:
    """Return a page of the user's messages that match all terms of `query`.

    Raise `SearchTooLong` if the database takes too long.
    """
    if not query:
        return FoundMessages([])
    find = _best if order is Order.BEST else _newest
    with time_limit() as deadline, connection.cursor() as database:
        page, following, is_cut = find(database, user_id, query, cursor)
        return FoundMessages(_hits(user_id, query, page, deadline), following, is_cut)


def _newest(database: Any, user_id: int, query: Query, cursor: Cursor) -> Page:
    places = search_backend().newest(database, query, user_id, cursor.before, PAGE_LENGTH + 1)
    page = places[:PAGE_LENGTH]
    return page, Cursor(before=page[-1]) if len(places) > PAGE_LENGTH else None, False


def _best(database: Any, user_id: int, query: Query, cursor: Cursor) -> Page:
    """Return a page of the best matches. Later pages rank the same set, without newer messages."""
    among = search_backend().newest(database, query, user_id, cursor.before, MAX_RANKED + 1)
    if not among:
        return [], None, False
    is_cut = len(among) > MAX_RANKED
    ranked = search_backend().best(database, query, user_id, among[:MAX_RANKED])
    end = cursor.skip + PAGE_LENGTH
    following = Cursor(among[0] + 1, end) if len(ranked) > end else None
    return ranked[cursor.skip : end], following, is_cut


def _hits(user_id: int, query: Query, places: Sequence[int], deadline: Deadline) -> list[Hit]:
    """Load the messages. The query checks their owner again, through their conversations."""
    found = Message.objects.filter(
        conversation__owner=user_id, conversation__purge_after=None, deleted_at=None
    ).select_related("conversation")
    messages = found.defer("reasoning").in_bulk([message_at(place) for place in places])
    hits: list[Hit] = []
    for place in places:
        if message := messages.get(message_at(place)):
            deadline.require()
            hits.append(Hit(message, snippet(message.text, query)))
    return hits


def search_backend() -> Any:
    """Return the module for the database in use."""
    return postgres if connection.vendor == "postgresql" else sqlite
