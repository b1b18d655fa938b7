"""The index on PostgreSQL: a narrow table of word vectors, made by postgres_index.py.

One lookup in the GIN index finds among one person's own words, however much others have written:
each word stands there with its owner before it, as `5_river`.
"""

from typing import Any

from django.db import transaction

from chat.conversations.search.place import EVERYBODY
from chat.conversations.search.postgres_index import drop, make
from chat.conversations.search.query import Query, Term

__all__ = ["best", "drop", "make", "newest"]

SHORTEST_WALK = 1000
STRETCHES = (5_000, 20_000)  # messages; then all that are left
STRETCHES_OF_ALL = (5_000, 20_000, 80_000, 320_000)
#: The planner does not know how long it takes to read vectors: it must not read them in a row.
BY_INDEX = "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off"

#: The newest, one by one. The inner LIMIT bounds the work: the outer one may never be reached.
WALK = """
SELECT place FROM (
    SELECT place, words FROM chat_search WHERE {whose} place < %(before)s
    ORDER BY place DESC LIMIT %(length)s
) newest
WHERE words @@ %(words)s::tsquery ORDER BY place DESC LIMIT %(count)s
"""
#: Where a stretch of so many messages begins.
BEGINNING = """
SELECT place FROM chat_search WHERE {whose} place < %(before)s
ORDER BY place DESC OFFSET %(length)s LIMIT 1
"""
#: `+ 0`: the index that has places in order is of no use here, and must not seem to be.
LOOK_UP = """
SELECT place FROM chat_search
WHERE words @@ %(words)s::tsquery AND {whose} place >= %(begin)s AND place < %(before)s
ORDER BY place + 0 DESC LIMIT %(count)s
"""
LOOK_UP_ALL = """
SELECT place FROM chat_search WHERE words @@ %(words)s::tsquery AND place + 0 < %(before)s
ORDER BY place + 0 DESC LIMIT %(count)s
"""
BEST = """
SELECT place FROM chat_search WHERE owner_id = %s AND place = ANY(%s)
ORDER BY ts_rank(words, %s::tsquery, 1) DESC, place DESC
"""


def newest(cursor: Any, query: Query, owner_id: int, before: int, count: int) -> list[int]:
    """The places of the newest hits, of one person or of `EVERYBODY`.

    The index knows no order, and an everyday word is in tens of thousands of messages; but the
    newest of them are near. So a stretch is walked through first. Only for a word that is rare
    there the index is asked, for longer and longer stretches: what it finds elsewhere is not
    fetched.
    """
    values = {"words": written(query, owner_id), "owner": owner_id, "before": before}
    length = max(SHORTEST_WALK, 3 * count)
    cursor.execute(_of(owner_id, WALK), values | {"length": length, "count": count})
    found = [place for (place,) in cursor.fetchall()]
    return found if len(found) == count else _looked_up(cursor, values, count)


def _of(owner_id: int, statement: str) -> str:
    whose = "" if owner_id == EVERYBODY else "owner_id = %(owner)s AND"
    return statement.replace("{whose}", whose)


def _looked_up(cursor: Any, values: dict[str, Any], count: int) -> list[int]:
    owner_id = values["owner"]
    found: list[int] = []
    for length in STRETCHES_OF_ALL if owner_id == EVERYBODY else STRETCHES:
        cursor.execute(_of(owner_id, BEGINNING), values | {"length": length})
        row = cursor.fetchone()
        if not row:
            break
        asked = values | {"begin": row[0], "count": count - len(found)}
        found += _by_index(cursor, _of(owner_id, LOOK_UP), asked)
        if len(found) == count:
            return found
        values["before"] = row[0]
    return found + _by_index(cursor, LOOK_UP_ALL, values | {"count": count - len(found)})


def _by_index(cursor: Any, statement: str, values: dict[str, Any]) -> list[int]:
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
