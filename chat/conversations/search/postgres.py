"""The index on PostgreSQL: a narrow table of word vectors, made by postgres_index.py.

One lookup in the GIN index finds among one person's own words, however much others have written:
each word stands there with its owner before it, as `5_river`.
"""

from typing import Any

from chat.conversations.search import postgres_everybody
from chat.conversations.search.position import EVERYBODY
from chat.conversations.search.postgres_lookup import by_index, walk_length, written
from chat.conversations.search.query import Query

STRETCHES = (5_000, 20_000)  # messages; then all that are left

#: The newest, one by one. The inner LIMIT bounds the work: the outer one may never be reached.
WALK = """
SELECT place FROM (
    SELECT place, words FROM chat_search WHERE owner_id = %(owner)s AND place < %(before)s
    ORDER BY place DESC LIMIT %(length)s
) newest
WHERE words @@ %(words)s::tsquery ORDER BY place DESC LIMIT %(count)s
"""
#: Where a stretch of so many messages begins.
BEGINNING = """
SELECT place FROM chat_search WHERE owner_id = %(owner)s AND place < %(before)s
ORDER BY place DESC OFFSET %(length)s LIMIT 1
"""
#: `+ 0`: the index that has places in order is of no use here, and must not seem to be.
LOOK_UP = """
SELECT place FROM chat_search
WHERE words @@ %(words)s::tsquery AND owner_id = %(owner)s
    AND place >= %(begin)s AND place < %(before)s
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
    if owner_id == EVERYBODY:
        return postgres_everybody.newest(cursor, query, before, count)
    values = {"words": written(query, str(owner_id)), "owner": owner_id, "before": before}
    cursor.execute(WALK, values | {"length": walk_length(count), "count": count})
    found = [place for (place,) in cursor.fetchall()]
    return found if len(found) == count else _looked_up(cursor, values, count)


def _looked_up(cursor: Any, values: dict[str, Any], count: int) -> list[int]:
    found: list[int] = []
    for length in STRETCHES:
        cursor.execute(BEGINNING, values | {"length": length})
        row = cursor.fetchone()
        if not row:
            break
        asked = values | {"begin": row[0], "count": count - len(found)}
        found += by_index(cursor, LOOK_UP, asked)
        if len(found) == count:
            return found
        values["before"] = row[0]
    return found + by_index(cursor, LOOK_UP_ALL, values | {"count": count - len(found)})


def best(cursor: Any, query: Query, owner_id: int, among: list[int]) -> list[int]:
    """`among` these places, best match first."""
    cursor.execute(BEST, [owner_id, among, written(query, str(owner_id))])
    return [place for (place,) in cursor.fetchall()]
