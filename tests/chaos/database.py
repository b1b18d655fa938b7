"""Read the site's database with plain SQL, without the site's code."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg

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


def rows(address: str, generation_ids: Iterable[str]) -> dict[str, Row]:
    """Return rows by id, without dashes; missing ones are left out."""
    wanted = [each.replace("-", "") for each in generation_ids]
    found: dict[str, Row] = {}
    for start in range(0, len(wanted), 500):
        some = wanted[start : start + 500]
        marks = ",".join("?" * len(some))
        found |= {row[0]: Row(*row) for row in _query(address, _ROWS % marks, some)}
    return found


def with_question(address: str, run: str) -> dict[str, Row]:
    """Return the generations whose question has a mark that starts with `run`."""
    query = """SELECT g.id FROM chat_generation g JOIN chat_message m ON m.id = g.message_id
    JOIN chat_message q ON q.id = m.parent_id WHERE instr(q.text, ?) > 0"""
    return rows(address, [row[0] for row in _query(address, query, [f'"mark": "{run}'])])


@dataclass(frozen=True, slots=True)
class Imported:
    """How many chats of an import are shown, and how many rows it has, those of drafts included."""

    shown: int
    chats: int
    messages: int
    generations: int

    @property
    def rows(self) -> int:
        return self.chats + self.messages + self.generations


def imported(address: str, mark: str) -> Imported:
    """Count what was imported with a mark in the titles of chats and the texts of messages."""
    counts = """SELECT
    (SELECT count(*) FROM chat_conversation WHERE instr(title, ?) > 0 AND purge_after IS NULL),
    (SELECT count(*) FROM chat_conversation WHERE instr(title, ?) > 0),
    (SELECT count(*) FROM chat_message WHERE instr(text, ?) > 0),
    (SELECT count(*) FROM chat_generation g JOIN chat_message m ON m.id = g.message_id
    WHERE instr(m.text, ?) > 0)"""
    return Imported(*_query(address, counts, [mark] * 4)[0])


def running_count(address: str) -> int:
    query = "SELECT count(*) FROM chat_generation WHERE state = 'running'"
    return int(_query(address, query)[0][0])


def bookmarked(address: str) -> set[str]:
    """Return the chats with a row in the table of the newer version (newer_release.py)."""
    query = "SELECT conversation_id FROM chat_bookmark"
    return {str(UUID(row[0])) for row in _query(address, query)}


def page_times(address: str, run: str) -> dict[str, list[str]]:
    """Return when the log pages of each generation of `run` were written, in order."""
    query = """SELECT p.generation_id, p.written_at FROM chat_logpage p
    JOIN chat_generation g ON g.id = p.generation_id JOIN chat_message m ON m.id = g.message_id
    JOIN chat_message q ON q.id = m.parent_id WHERE instr(q.text, ?) > 0 ORDER BY p.first_seq"""
    times: dict[str, list[str]] = {}
    for generation_id, written_at in _query(address, query, [f'"mark": "{run}']):
        times.setdefault(generation_id, []).append(written_at)
    return times


def has_question(address: str, mark: str) -> bool:
    """Return whether a question with this mark is among the newest stored ones."""
    query = """SELECT count(*) FROM (SELECT text FROM chat_message WHERE role = 'user'
    ORDER BY id DESC LIMIT 500) AS newest WHERE instr(text, ?) > 0"""
    return bool(_query(address, query, [f'"mark": "{mark}"'])[0][0])


def _query(address: str, query: str, values: Sequence[str] = ()) -> list[tuple[Any, ...]]:
    """Run a query in SQLite's words on the file, or the PostgreSQL database, at `address`."""
    if not address.startswith("postgresql:"):
        with closing(sqlite3.connect(f"file:{address}?mode=ro", uri=True, timeout=20)) as file:
            return list(file.execute(query, values))
    translated = query.replace("?", "%s").replace("instr(", "strpos(")
    with psycopg.connect(address, autocommit=True) as server:
        found = server.execute(translated, values)  # type: ignore[call-overload]
        return [tuple(map(_as_in_sqlite, row)) for row in found]


def _as_in_sqlite(value: object) -> object:
    if isinstance(value, UUID):
        return value.hex
    return str(value) if isinstance(value, datetime) else value
