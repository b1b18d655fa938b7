"""Finding one's own messages by their words."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import connection

from chat.conversations.models import Message
from chat.conversations.search import postgres, sqlite
from chat.conversations.search.place import LAST, message_at
from chat.conversations.search.query import Query
from chat.conversations.search.snippet import Piece, snippet

PAGE_LENGTH = 20
MOST_RANKED = 1000  # each is read for it: of more hits, the newest are ranked


class Order(StrEnum):
    NEWEST = "newest"
    BEST = "best"


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page begins: after so many of the hits before a place."""

    before: int = LAST
    skip: int = 0


BEGINNING = Cursor()


@dataclass(frozen=True, slots=True)
class Hit:
    message: Message
    pieces: list[Piece]


@dataclass(frozen=True, slots=True)
class Found:
    """A page of hits, and where the next one begins; `is_cut` where only the newest were ranked."""

    hits: list[Hit]
    next: Cursor | None = None
    is_cut: bool = False


def find_messages(user_id: int, query: Query, order: Order, cursor: Cursor = BEGINNING) -> Found:
    """A page of the user's messages that have all terms of `query`."""
    if not query:
        return Found([])
    with connection.cursor() as database:
        if order is Order.BEST:
            return _best(database, user_id, query, cursor)
        places = index().newest(database, query, user_id, cursor.before, PAGE_LENGTH + 1)
    page = places[:PAGE_LENGTH]
    following = Cursor(before=page[-1]) if len(places) > PAGE_LENGTH else None
    return Found(_hits(user_id, query, page), following)


def _best(database: Any, user_id: int, query: Query, cursor: Cursor) -> Found:
    """The set that is ranked is the same for all pages: what is said meanwhile is not among it."""
    among = index().newest(database, query, user_id, cursor.before, MOST_RANKED + 1)
    if not among:
        return Found([])
    is_cut = len(among) > MOST_RANKED
    ranked = index().best(database, query, user_id, among[:MOST_RANKED])
    end = cursor.skip + PAGE_LENGTH
    following = Cursor(among[0] + 1, end) if len(ranked) > end else None
    return Found(_hits(user_id, query, ranked[cursor.skip : end]), following, is_cut)


def _hits(user_id: int, query: Query, places: Sequence[int]) -> list[Hit]:
    """The messages themselves: whose they are is asked once more, of their conversations."""
    found = Message.objects.filter(
        conversation__owner=user_id, conversation__goes_at=None, deleted_at=None
    ).select_related("conversation")
    messages = found.defer("reasoning").in_bulk([message_at(place) for place in places])
    present = (messages.get(message_at(place)) for place in places)
    return [Hit(each, snippet(each.text, query)) for each in present if each]


def index() -> Any:
    """The database's own."""
    return postgres if connection.vendor == "postgresql" else sqlite
