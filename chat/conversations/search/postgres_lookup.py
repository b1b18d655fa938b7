"""How PostgreSQL is asked, whoever's words are looked for."""

from typing import Any

from django.db import transaction

from chat.conversations.search.query import Query, Term

SHORTEST_WALK = 1000
#: The planner does not know how long it takes to read vectors: it must not read them in a row.
BY_INDEX = "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off"
#: A search is one transaction (time_limit.py), and other statements of it follow.
BY_CHOICE = "SET LOCAL enable_seqscan = DEFAULT; SET LOCAL enable_indexscan = DEFAULT"


def walk_length(count: int) -> int:
    """How many of the newest messages are looked at one by one, for so many hits."""
    return max(SHORTEST_WALK, 3 * count)


def by_index(cursor: Any, statement: str, values: dict[str, Any]) -> list[int]:
    with transaction.atomic():
        cursor.execute(BY_INDEX)
        cursor.execute(statement, values)
        found = [place for (place,) in cursor.fetchall()]
        cursor.execute(BY_CHOICE)
        return found


def written(query: Query, whose: str) -> str:
    """`query` in the words of a tsquery, each with `whose` it is before it."""

    def phrase(term: Term) -> str:
        words = " <-> ".join(f"'{whose}_{word}'" for word in term.words)
        return f"({words}:*)" if term.is_open else f"({words})"

    return " & ".join(map(phrase, query.terms))
