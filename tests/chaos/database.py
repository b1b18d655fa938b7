"""Read the site's database with plain SQL, without the site's code."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass

ENDED = frozenset({"complete", "stopped", "interrupted", "failed"})


@dataclass(frozen=True, slots=True)
class Row:
    """A generation with its answer and question."""

    id: str
    state: str
    length: int
    base_length: int
    ended_at: str | None
    conversation: str
    message_id: int
    text: str
    question: str


_ROWS = """
SELECT g.id, g.state, g.length, g.base_length, g.ended_at,
       m.conversation_id, m.id, m.text, coalesce(q.text, '')
FROM chat_generation g
JOIN chat_message m ON m.id = g.message_id
LEFT JOIN chat_message q ON q.id = m.parent_id
WHERE g.id IN (%s)
"""


def rows(path: str, generation_ids: Iterable[str]) -> dict[str, Row]:
    """Return rows by id; missing ones are left out."""
    wanted = [each.replace("-", "") for each in generation_ids]
    found: dict[str, Row] = {}
    with closing(_open(path)) as database:
        for start in range(0, len(wanted), 500):
            some = wanted[start : start + 500]
            marks = ",".join("?" * len(some))
            found |= {row[0]: Row(*row) for row in database.execute(_ROWS % marks, some)}
    return found


def with_question(path: str, run: str) -> dict[str, Row]:
    """Return the generations whose question has a mark that starts with `run`."""
    query = """SELECT g.id FROM chat_generation g JOIN chat_message m ON m.id = g.message_id
    JOIN chat_message q ON q.id = m.parent_id WHERE instr(q.text, ?)"""
    with closing(_open(path)) as database:
        ids = [row[0] for row in database.execute(query, (f'"mark": "{run}',))]
    return rows(path, ids)


def running_count(path: str) -> int:
    with closing(_open(path)) as database:
        query = "SELECT count(*) FROM chat_generation WHERE state = 'running'"
        return int(database.execute(query).fetchone()[0])


def page_times(path: str, run: str) -> dict[str, list[str]]:
    """Return when the log pages of each generation of `run` were written, in order."""
    query = """SELECT p.generation_id, p.written_at FROM chat_logpage p
    JOIN chat_generation g ON g.id = p.generation_id JOIN chat_message m ON m.id = g.message_id
    JOIN chat_message q ON q.id = m.parent_id WHERE instr(q.text, ?) ORDER BY p.first_seq"""
    times: dict[str, list[str]] = {}
    with closing(_open(path)) as database:
        for generation_id, written_at in database.execute(query, (f'"mark": "{run}',)):
            times.setdefault(generation_id, []).append(written_at)
    return times


def has_question(path: str, mark: str) -> bool:
    """Return whether a question with this mark is among the newest stored ones."""
    query = """SELECT count(*) FROM (SELECT text FROM chat_message WHERE role = 'user'
    ORDER BY id DESC LIMIT 500) WHERE instr(text, ?)"""
    with closing(_open(path)) as database:
        return bool(database.execute(query, (f'"mark": "{mark}"',)).fetchone()[0])


def _open(path: str) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20)
