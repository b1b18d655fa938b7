"""Search on PostgreSQL, in a narrow table of word vectors made by postgres_index.py.

Each word is indexed with its owner as a prefix, such as `5_river`, so one lookup in the GIN index
only touches the owner's own words, however much others have written.
"""

from typing import Any

from chat.conversations.search import postgres_everybody
from chat.conversations.search.position import EVERYBODY
from chat.conversations.search.postgres_lookup import lookup_by_index, to_tsquery, walk_length
from chat.conversations.search.query import Query

STRETCHES = (5_000, 20_000)  # messages; then all that remain

#: Checks the newest messages one by one. The inner LIMIT bounds the work, as the outer one may
#: never be reached.
WALK = """
SELECT place FROM (
    SELECT place, words FROM chat_search WHERE owner_id = %(owner)s AND place < %(before)s
    ORDER BY place DESC LIMIT %(length)s
) newest
WHERE words @@ %(words)s::tsquery ORDER BY place DESC LIMIT %(count)s
"""
#: Finds the start of a stretch of so many messages.
BEGINNING = """
SELECT place FROM chat_search WHERE owner_id = %(owner)s AND place < %(before)s
ORDER BY place DESC OFFSET %(length)s LIMIT 1
"""
#: `+ 0` keeps the planner from using the index on `place`, which does not help here.
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
    """Return the positions of the newest hits, for one owner or `EVERYBODY`.

    The GIN index has no order, and a common word is in tens of thousands of messages, but its
    newest hits are near. So the newest messages are scanned first. If the words are rare there, the
    index is used, for longer and longer stretches, so that no older hits are fetched than needed.
    """
    if owner_id == EVERYBODY:
        return postgres_everybody.newest(cursor, query, before, count)
    values = {"words": to_tsquery(query, str(owner_id)), "owner": owner_id, "before": before}
    cursor.execute(WALK, values | {"length": walk_length(count), "count": count})
    places = [place for (place,) in cursor.fetchall()]
    return places if len(places) == count else _looked_up(cursor, values, count)


def _looked_up(cursor: Any, values: dict[str, Any], count: int) -> list[int]:
    places: list[int] = []
    for length in STRETCHES:
        cursor.execute(BEGINNING, values | {"length": length})
        row = cursor.fetchone()
        if not row:
            break
        parameters = values | {"begin": row[0], "count": count - len(places)}
        places += lookup_by_index(cursor, LOOK_UP, parameters)
        if len(places) == count:
            return places
        values["before"] = row[0]
    return places + lookup_by_index(cursor, LOOK_UP_ALL, values | {"count": count - len(places)})


def best(cursor: Any, query: Query, owner_id: int, among: list[int]) -> list[int]:
    """Return the positions `among`, best match first."""
    cursor.execute(BEST, [owner_id, among, to_tsquery(query, str(owner_id))])
    return [place for (place,) in cursor.fetchall()]
