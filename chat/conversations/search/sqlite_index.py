"""Create the search index on SQLite: an FTS5 table that triggers keep up to date.

Each word is indexed with its owner as a prefix, such as `5_river`, so a user's search only touches
their own words, however much others have written. All words are indexed once more for everybody,
`0_river`, for searches by staff (conversation_search.py). A function that the project registers on
each connection splits texts into words. A program without it can read messages but not write them,
which is better than writing messages that no search finds.

A migration that changes a column recreates SQLite's table, which drops its triggers and fails on
triggers that name it. So they are dropped before each migration and created again after it.
"""

# ruff: noqa: S608  (only constants are interpolated)

from typing import Any

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from chat.conversations.search.position import BITS_OF_ID, EVERYBODY, LATEST_SECOND, LONG_MESSAGE
from chat.lib.words import words_of

MESSAGES_AT_ONCE = 1000
#: Limits per message, about half a book. All words are written and removed in one transaction,
#: which then locks the database for an eighth of a second. PostgreSQL's vectors have a similar
#: limit.
INDEXED_WORDS = 50_000
INDEXED_CHARACTERS = 400_000

TABLE = """
CREATE VIRTUAL TABLE chat_search USING fts5(words, tokenize = "ascii tokenchars '_'")
"""


def _place(row: str) -> str:
    # Django would take this %s for a parameter, so statements with it must have none.
    second = f"CAST(strftime('%s', {row}.created_at) AS INTEGER)"
    return f"((min(max({second}, 0), {LATEST_SECOND}) << {BITS_OF_ID}) + {row}.id)"


def _add(row: str, source: str) -> str:
    return f"""
        INSERT INTO chat_search (rowid, words)
        SELECT {_place(row)}, chat_search_words(owner.owner_id, {row}.text)
        FROM {source} owner WHERE owner.id = {row}.conversation_id AND {row}.text <> ''
    """


ADD_NEW = f"""
{_add("new", "chat_conversation")} AND length(new.text) <= {LONG_MESSAGE};
INSERT OR IGNORE INTO chat_unindexedmessage (message_id)
SELECT new.id WHERE length(new.text) > {LONG_MESSAGE}
"""
TAKE_OLD = f"DELETE FROM chat_search WHERE rowid = {_place('old')}"
TRIGGERS = {
    "chat_search_insert": f"AFTER INSERT ON chat_message BEGIN {ADD_NEW}; END",
    "chat_search_delete": f"AFTER DELETE ON chat_message BEGIN {TAKE_OLD}; END",
    "chat_search_update": f"""
        AFTER UPDATE OF text, created_at, conversation_id ON chat_message
        WHEN old.text <> new.text OR old.created_at <> new.created_at
            OR old.conversation_id <> new.conversation_id
        BEGIN {TAKE_OLD}; {ADD_NEW}; END
    """,
}
ADD_MISSING = f"""
    {_add("message", "chat_message message, chat_conversation")}
    AND NOT EXISTS (SELECT 1 FROM chat_search WHERE rowid = {_place("message")})
"""
# Django would take its %s for a parameter, so the id is formatted into it.
FIND_WAITING = f"""
SELECT {_place("message")}, owner_id, text FROM chat_message message
JOIN chat_conversation owner ON owner.id = conversation_id WHERE message.id = {{id}}
"""
TAKE_ORPHANS = f"""
DELETE FROM chat_search WHERE rowid NOT IN (
    SELECT {_place("message")} FROM chat_message message WHERE text <> ''
)
"""


def prepare(connection: BaseDatabaseWrapper) -> None:
    """Register the function that the triggers call on a new connection."""
    connection.connection.create_function("chat_search_words", 2, _words, deterministic=True)


def _words(owner_id: int, text: str) -> str:
    words = words_of(text[:INDEXED_CHARACTERS])[:INDEXED_WORDS]
    return " ".join(f"{whose}_{word}" for whose in (owner_id, EVERYBODY) for word in words)


def add_waiting(cursor: Any, message_id: int) -> None:
    """Index a waiting message. Its words are found before the database is locked.

    It stays queued if its owner or text has changed meanwhile.
    """
    row = _find(cursor, message_id)
    words = _words(*row[1:]) if row else ""
    with transaction.atomic(using=cursor.db.alias):
        if _find(cursor, message_id) != row:
            return
        if row:
            place, _owner_id, text = row
            cursor.execute("DELETE FROM chat_search WHERE rowid = %s", [place])
            if text:
                cursor.execute(
                    "INSERT INTO chat_search (rowid, words) VALUES (%s, %s)", [place, words]
                )
        cursor.execute("DELETE FROM chat_unindexedmessage WHERE message_id = %s", [message_id])


def _find(cursor: Any, message_id: int) -> tuple[int, int, str] | None:
    """Return the position, owner and text of a message."""
    cursor.execute(FIND_WAITING.format(id=int(message_id)))
    row: tuple[int, int, str] | None = cursor.fetchone()
    return row


def make(cursor: Any) -> None:
    """Create the index and its triggers, and add all existing messages.

    A migration has a copy of its SQL.
    """
    cursor.execute(TABLE)
    repair(cursor)
    make_triggers(cursor)


def exists(cursor: Any) -> bool:
    cursor.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'chat_search'")
    return cursor.fetchone() is not None


def has_triggers(cursor: Any) -> bool:
    cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    return TRIGGERS.keys() <= {name for (name,) in cursor.fetchall()}


def drop_triggers(cursor: Any) -> None:
    for name in TRIGGERS:
        cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


def make_triggers(cursor: Any) -> None:
    for name, body in TRIGGERS.items():
        cursor.execute(f"CREATE TRIGGER {name} {body}")


def repair(cursor: Any) -> None:
    """Add messages missing from the index, and remove entries without a message."""
    cursor.execute(TAKE_ORPHANS)
    cursor.execute("SELECT coalesce(max(id), 0) FROM chat_message")
    (last,) = cursor.fetchone()
    for first in range(0, last, MESSAGES_AT_ONCE):
        last_at_once = first + MESSAGES_AT_ONCE
        cursor.execute(f"{ADD_MISSING} AND message.id > {first} AND message.id <= {last_at_once}")
