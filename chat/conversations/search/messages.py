"""Search a user's own messages by their words."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db import connection

from chat.conversations.models import Message
from chat.conversations.search import postgres, sqlite
from chat.conversations.search.position import LAST, message_at
from chat.conversations.search.query import Query
from chat.conversations.search.snippet import SnippetPiece, snippet
from chat.conversations.search.tag_terms import places_with_tags
from chat.conversations.search.time_limit import Deadline, time_limit

PAGE_LENGTH = 20
MAX_RANKED = 1000  # ranking reads each hit, so only the newest are ranked
PLACES_AT_ONCE = 500  # hits whose tags are read together


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

    @property
    def words(self) -> list[str]:
        """Return the words that were found, as they are written in the message."""
        return list(dict.fromkeys(piece.text for piece in self.pieces if piece.is_hit))


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
    user_id: int,
    query: Query,
    order: Order,
    cursor: Cursor = BEGINNING,
    tags: tuple[UUID, ...] = (),
) -> FoundMessages:
    """Return a page of the user's messages that match all terms of `query`.

    Their chats have all `tags`.
    Raise `SearchTooLong` if the database takes too long.
    """
    if not query:
        return FoundMessages([])
    find = _best if order is Order.BEST else _newest
    with time_limit() as deadline, connection.cursor() as database:
        hits = _TaggedHits(database, user_id, query, tags, deadline)
        page, following, is_cut = find(hits, cursor)
        return FoundMessages(_hits(user_id, query, page, deadline), following, is_cut)


@dataclass(frozen=True, slots=True)
class _TaggedHits:
    """The positions of all hits of a search."""

    database: Any
    user_id: int
    query: Query
    tags: tuple[UUID, ...]
    deadline: Deadline

    def newest(self, before: int, count: int) -> list[int]:
        if not self.tags:
            return self._newest(before, count)
        tagged: list[int] = []
        while len(tagged) < count:
            self.deadline.require()
            places = self._newest(before, PLACES_AT_ONCE)
            tagged += places_with_tags(places, self.tags)
            if len(places) < PLACES_AT_ONCE:
                break
            before = places[-1]
        return tagged[:count]

    def best(self, among: list[int]) -> list[int]:
        ranked: list[int] = search_backend().best(self.database, self.query, self.user_id, among)
        kept = set(among)  # with tags, not all hits in their range
        return [place for place in ranked if place in kept]

    def _newest(self, before: int, count: int) -> list[int]:
        places: list[int] = search_backend().newest(
            self.database, self.query, self.user_id, before, count
        )
        return places


def _newest(hits: _TaggedHits, cursor: Cursor) -> Page:
    places = hits.newest(cursor.before, PAGE_LENGTH + 1)
    page = places[:PAGE_LENGTH]
    return page, Cursor(before=page[-1]) if len(places) > PAGE_LENGTH else None, False


def _best(hits: _TaggedHits, cursor: Cursor) -> Page:
    """Return a page of the best matches. Later pages rank the same set, without newer messages."""
    among = hits.newest(cursor.before, MAX_RANKED + 1)
    if not among:
        return [], None, False
    is_cut = len(among) > MAX_RANKED
    ranked = hits.best(among[:MAX_RANKED])
    end = cursor.skip + PAGE_LENGTH
    following = Cursor(among[0] + 1, end) if len(ranked) > end else None
    return ranked[cursor.skip : end], following, is_cut


def _hits(user_id: int, query: Query, places: Sequence[int], deadline: Deadline) -> list[Hit]:
    """Load the messages. The query checks their owner again, through their conversations."""
    rows = Message.objects.filter(
        conversation__owner=user_id, conversation__purge_after=None, deleted_at=None
    ).select_related("conversation")
    messages = rows.defer("reasoning").in_bulk([message_at(place) for place in places])
    hits: list[Hit] = []
    for place in places:
        if message := messages.get(message_at(place)):
            deadline.require()
            hits.append(Hit(message, snippet(message.text, query)))
    return hits


def search_backend() -> Any:
    """Return the module for the database in use."""
    return postgres if connection.vendor == "postgresql" else sqlite
