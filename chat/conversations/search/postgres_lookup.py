"""Build and run lookups on PostgreSQL, for one owner's messages or everybody's."""

from typing import Any

from django.db import transaction

from chat.conversations.search.query import Query, Term

MIN_SCAN_ROWS = 1000
#: The planner underestimates the cost of reading vectors and must not read them in sequence.
BY_INDEX = "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off"
#: A search is one transaction (time_limit.py), in which other statements follow.
BY_CHOICE = "SET LOCAL enable_seqscan = DEFAULT; SET LOCAL enable_indexscan = DEFAULT"


def walk_length(count: int) -> int:
    """Return how many of the newest messages to scan for `count` hits."""
    return max(MIN_SCAN_ROWS, 3 * count)


def lookup_by_index(cursor: Any, statement: str, values: dict[str, Any]) -> list[int]:
    """Run a lookup with a planner that must use the GIN index; return the positions found."""
    with transaction.atomic():
        cursor.execute(BY_INDEX)
        cursor.execute(statement, values)
        places = [place for (place,) in cursor.fetchall()]
        cursor.execute(BY_CHOICE)
        return places


def to_tsquery(query: Query, whose: str) -> str:
    """Return `query` as a tsquery, with the prefix `whose` on each word."""

    def phrase(term: Term) -> str:
        words = " <-> ".join(f"'{whose}_{word}'" for word in term.words)
        return f"({words}:*)" if term.is_open else f"({words})"

    return " & ".join(map(phrase, query.terms))
