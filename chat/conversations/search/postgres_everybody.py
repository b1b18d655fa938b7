"""Search the messages of all users on PostgreSQL, for staff, from the newest span of time back.

A common word is in hundreds of thousands of messages, and a lookup fetches all of them. So words
are indexed by span as well, such as `s6611_river`, and older spans are not looked up.
"""

from collections.abc import Iterator
from typing import Any

from chat.conversations.search.position import BITS_IN_SPAN
from chat.conversations.search.postgres_lookup import lookup_by_index, to_tsquery, walk_length
from chat.conversations.search.query import Query

SPANS_OF_WALK = 8
MAX_SPANS = 256  # per lookup

#: Checks the newest messages one by one. The inner LIMIT bounds the work, as the outer one may
#: never be reached.
WALK = """
SELECT place FROM (
    SELECT place, words FROM chat_search WHERE place < %(before)s
    ORDER BY place DESC LIMIT %(length)s
) newest
WHERE words @@ %(words)s::tsquery ORDER BY place DESC LIMIT %(count)s
"""
#: `+ 0` keeps the planner from using the index on `place`, which does not help here.
LOOK_UP = """
SELECT place FROM chat_search WHERE words @@ %(words)s::tsquery AND place + 0 < %(before)s
ORDER BY place + 0 DESC LIMIT %(count)s
"""
ENDS = "SELECT min(place), max(place) FROM chat_search WHERE place < %s"


def newest(cursor: Any, query: Query, before: int, count: int) -> list[int]:
    """Return the positions of the newest hits of all users.

    Common words are found among the newest thousand messages; only for other words is the index
    used.
    """
    cursor.execute(ENDS, [before])
    oldest, latest = cursor.fetchone()
    if latest is None:
        return []
    first, last = oldest >> BITS_IN_SPAN, latest >> BITS_IN_SPAN
    values = {"before": before, "count": count, "length": walk_length(count)}
    recent = _in_spans(query, range(max(first, last - SPANS_OF_WALK + 1), last + 1))
    cursor.execute(WALK, values | {"words": recent})
    places = [place for (place,) in cursor.fetchall()]
    return places if len(places) == count else _looked_up(cursor, query, _back(first, last), values)


def _looked_up(
    cursor: Any, query: Query, stretches: Iterator[range], values: dict[str, int]
) -> list[int]:
    places: list[int] = []
    for spans in stretches:
        parameters = {"words": _in_spans(query, spans), "count": values["count"] - len(places)}
        places += lookup_by_index(cursor, LOOK_UP, values | parameters)
        if len(places) == values["count"]:
            break
    return places


def _back(first: int, last: int) -> Iterator[range]:
    """Yield ranges of spans from the last to the first, longer and longer as hits turn out rare."""
    length = 1
    while last >= first:
        yield range(max(first, last - length + 1), last + 1)
        last -= length
        length = min(2 * length, MAX_SPANS)


def _in_spans(query: Query, spans: range) -> str:
    return " | ".join(f"({to_tsquery(query, f's{span}')})" for span in spans)
