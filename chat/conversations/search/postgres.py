"""The index on PostgreSQL: a narrow table of word vectors, made by postgres_index.py.

One lookup in the GIN index finds among one person's own words, however much others have written:
each word stands there with its owner before it, as `5_river`.
"""

from typing import Any

from django.db import transaction

from chat.conversations.search.postgres_index import drop, make
from chat.conversations.search.query import Query, Term

__all__ = ["best", "drop", "make", "newest"]

SHORTEST_WALK = 1000
STRETCHES = (5_000, 20_000)  # messages; then all that are left
#: The planner does not know how long it takes to read vectors: it must not read them in a row.
BY_INDEX = "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off"

#: The newest, one by one. The inner LIMIT bounds the work: the outer one may never be reached.
WALK = """
SELECT place FROM (
    SELECT place, words FROM chat_search WHERE owner_id = %s AND place < %s
    ORDER BY place DESC LIMIT %s
) newest
WHERE words @@ %s::tsquery ORDER BY place DESC LIMIT %s
"""
#: Where a stretch of so many messages begins.
BEGINNING = """
SELECT place FROM chat_search WHERE owner_id = %s AND place < %s
ORDER BY place DESC OFFSET %s LIMIT 1
"""
#: `+ 0`: the index that has places in order is of no use here, and must not seem to be.
LOOK_UP = """
SELECT place FROM chat_search
WHERE words @@ %s::tsquery AND owner_id = %s AND place >= %s AND place < %s
ORDER BY place + 0 DESC LIMIT %s
"""
LOOK_UP_ALL = """
SELECT place FROM chat_search WHERE words @@ %s::tsquery AND place + 0 < %s
ORDER BY place + 0 DESC LIMIT %s
"""
BEST = """
SELECT place FROM chat_search WHERE owner_id = %s AND place = ANY(%s)
ORDER BY ts_rank(words, %s::tsquery, 1) DESC, place DESC
"""


def newest(cursor: Any, query: Query, owner_id: int, before: int, count: int) -> list[int]:
    """The places of the newest hits.

    The index knows no order, and an everyday word is in tens of thousands of messages; but the
    newest of them are near. So a stretch is walked through first. Only for a word that is rare
    there the index is asked, for longer and longer stretches: what it finds elsewhere is not
    fetched.
    """
    words = written(query, owner_id)
    cursor.execute(WALK, [owner_id, before, max(SHORTEST_WALK, 3 * count), words, count])
    found = [place for (place,) in cursor.fetchall()]
    return found if len(found) == count else _looked_up(cursor, words, owner_id, before, count)


def _looked_up(cursor: Any, words: str, owner_id: int, before: int, count: int) -> list[int]:
    found: list[int] = []
    for length in STRETCHES:
        begin = _beginning(cursor, owner_id, before, length)
        if not begin:
            break
        left = count - len(found)
        found += _by_index(cursor, LOOK_UP, [words, owner_id, begin, before, left])
        if len(found) == count:
            return found
        before = begin
    return found + _by_index(cursor, LOOK_UP_ALL, [words, before, count - len(found)])


def _beginning(cursor: Any, owner_id: int, before: int, length: int) -> int:
    cursor.execute(BEGINNING, [owner_id, before, length])
    row = cursor.fetchone()
    return int(row[0]) if row else 0


def _by_index(cursor: Any, statement: str, values: list[Any]) -> list[int]:
    with transaction.atomic():
        cursor.execute(BY_INDEX)
        cursor.execute(statement, values)
        return [place for (place,) in cursor.fetchall()]


def best(cursor: Any, query: Query, owner_id: int, among: list[int]) -> list[int]:
    """`among` these places, best match first."""
    cursor.execute(BEST, [owner_id, among, written(query, owner_id)])
    return [place for (place,) in cursor.fetchall()]


def written(query: Query, owner_id: int) -> str:
    """`query` in the words of a tsquery."""

    def phrase(term: Term) -> str:
        words = " <-> ".join(f"'{owner_id}_{word}'" for word in term.words)
        return f"({words}:*)" if term.is_open else f"({words})"

    return " & ".join(map(phrase, query.terms))
