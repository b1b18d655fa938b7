"""Search on SQLite, in an FTS5 table made by sqlite_index.py, in the order of positions."""

from typing import Any

from chat.conversations.search.query import Query, Term

NEWEST = """
SELECT rowid FROM chat_search WHERE chat_search MATCH %s AND rowid < %s
ORDER BY rowid DESC LIMIT %s
"""
BEST = """
SELECT rowid FROM chat_search WHERE chat_search MATCH %s AND rowid BETWEEN %s AND %s
ORDER BY rank, rowid DESC
"""


def newest(cursor: Any, query: Query, owner_id: int, before: int, count: int) -> list[int]:
    """Return the positions of the newest hits."""
    cursor.execute(NEWEST, [to_fts5(query, owner_id), before, count])
    return [place for (place,) in cursor.fetchall()]


def best(cursor: Any, query: Query, owner_id: int, among: list[int]) -> list[int]:
    """Return the positions `among`, best match first. They must be all hits in their range."""
    cursor.execute(BEST, [to_fts5(query, owner_id), min(among), max(among)])
    return [place for (place,) in cursor.fetchall()]


def to_fts5(query: Query, owner_id: int) -> str:
    """Return `query` in FTS5 syntax."""

    def phrase(term: Term) -> str:
        words = " ".join(f"{owner_id}_{word}" for word in term.words)
        return f'"{words}"' + ("*" if term.is_open else "")

    return " AND ".join(map(phrase, query.terms))
