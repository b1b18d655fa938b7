"""Create the triggers that keep `Conversation.stored_bytes`, the size of all that counted.py names.

Rows are written in several ways, some of which send no signals, and deleted with their messages;
triggers see them all, in the same transaction. On SQLite, index_setup.py drops them before
migrations, and counts all sizes before it creates them again.
"""
# ruff: noqa: S608  (only constants are interpolated)

from collections.abc import Iterator
from typing import Any

from chat.conversations.sizes.counted import (
    ATTEMPT_BYTES,
    BESIDE_MESSAGES,
    GENERATIONS,
    MESSAGE_BYTES,
    MESSAGES,
    Counted,
    all_sizes,
)

CHANGE = "UPDATE chat_conversation SET stored_bytes = stored_bytes"
OF_MESSAGE = "(SELECT conversation_id FROM chat_message WHERE id = {row}.message_id)"
ANOTHER = f"""
    EXISTS (SELECT 1 FROM {GENERATIONS} WHERE message_id = {{row}}.message_id AND id <> {{row}}.id)
"""


def _on_sqlite() -> Iterator[tuple[str, str, str]]:
    """Yield the names, tables and bodies of all triggers."""
    for each in (MESSAGES, *BESIDE_MESSAGES):
        prefix = "chat_size" if each is MESSAGES else f"chat_size_{each.name}"
        new, old = each.size_of("new", "sqlite"), each.size_of("old", "sqlite")
        where = {
            row: OF_MESSAGE.format(row=row) if each.has_message else f"{row}.conversation_id"
            for row in ("new", "old")
        }
        columns = ", ".join(each.columns)
        changed = " OR ".join(f"old.{column} <> new.{column}" for column in each.columns)
        yield (
            f"{prefix}_insert",
            each.table,
            f"AFTER INSERT ON {each.table} BEGIN {CHANGE} + {new} WHERE id = {where['new']}; END",
        )
        yield (
            f"{prefix}_delete",
            each.table,
            f"AFTER DELETE ON {each.table} BEGIN {CHANGE} - ({old}) WHERE id = {where['old']}; END",
        )
        yield (
            f"{prefix}_update",
            each.table,
            f"AFTER UPDATE OF {columns} ON {each.table} WHEN {changed} "
            f"BEGIN {CHANGE} + {new} - ({old}) WHERE id = {where['new']}; END",
        )
    for kind, row, sign in (("insert", "new", "+"), ("delete", "old", "-")):
        yield (
            f"chat_size_generation_{kind}",
            GENERATIONS,
            f"AFTER {kind} ON {GENERATIONS} WHEN {ANOTHER.format(row=row)} BEGIN "
            f"{CHANGE} {sign} {ATTEMPT_BYTES} WHERE id = {OF_MESSAGE.format(row=row)}; END",
        )


ON_SQLITE = list(_on_sqlite())

# Once per statement: once per row would leave as many dead versions of the conversation's row.
SUM = """
SELECT conversation_id, sum(octet_length(text) + octet_length(reasoning)) AS bytes,
    count(*) AS messages
FROM {table} GROUP BY conversation_id
"""
MESSAGES_ON_POSTGRES = f"""
CREATE FUNCTION chat_size_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {CHANGE} + bytes + messages * {MESSAGE_BYTES}
    FROM ({SUM.format(table="added")}) AS change WHERE id = conversation_id;
    RETURN NULL;
END $$;
CREATE FUNCTION chat_size_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {CHANGE} - bytes - messages * {MESSAGE_BYTES}
    FROM ({SUM.format(table="removed")}) AS change WHERE id = conversation_id;
    RETURN NULL;
END $$;
CREATE FUNCTION chat_size_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {CHANGE} + octet_length(new.text) + octet_length(new.reasoning)
        - octet_length(old.text) - octet_length(old.reasoning) WHERE id = new.conversation_id;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_size_insert AFTER INSERT ON chat_message
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION chat_size_added();
CREATE TRIGGER chat_size_delete AFTER DELETE ON chat_message
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION chat_size_removed();
CREATE TRIGGER chat_size_update AFTER UPDATE OF text, reasoning ON chat_message
    FOR EACH ROW WHEN ((old.text, old.reasoning) IS DISTINCT FROM (new.text, new.reasoning))
    EXECUTE FUNCTION chat_size_changed();
"""


def _on_postgres(counted: Counted) -> str:
    """Return the triggers of a table whose rows belong to messages or conversations."""
    name, table = f"chat_size_{counted.name}", counted.table
    new, old = counted.size_of("new", "postgresql"), counted.size_of("old", "postgresql")
    where = OF_MESSAGE.format(row="new") if counted.has_message else "new.conversation_id"
    columns = ", ".join(counted.columns)
    olds, news = (
        ", ".join(f"{row}.{column}" for column in counted.columns) for row in ("old", "new")
    )
    return f"""
CREATE FUNCTION {name}_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {CHANGE} + bytes
    FROM ({counted.sums("added", "postgresql")}) AS change WHERE id = conversation_id;
    RETURN NULL;
END $$;
CREATE FUNCTION {name}_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {CHANGE} - bytes
    FROM ({counted.sums("removed", "postgresql")}) AS change WHERE id = conversation_id;
    RETURN NULL;
END $$;
CREATE FUNCTION {name}_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {CHANGE} + ({new}) - ({old})
    WHERE id = {where};
    RETURN NULL;
END $$;
CREATE TRIGGER {name}_insert AFTER INSERT ON {table}
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION {name}_added();
CREATE TRIGGER {name}_delete AFTER DELETE ON {table}
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION {name}_removed();
CREATE TRIGGER {name}_update AFTER UPDATE OF {columns} ON {table}
    FOR EACH ROW WHEN (({olds}) IS DISTINCT FROM ({news}))
    EXECUTE FUNCTION {name}_changed();
"""


PRESENT = f"""(SELECT count(*) FROM {GENERATIONS} AS every
            WHERE every.message_id = changed.message_id)"""
#: The generations of these messages besides the first one, before and after a statement.
FURTHER = f"""
    SELECT conversation_id, sum(greatest(present - 1, 0) - greatest(former - 1, 0)) AS number
    FROM (
        SELECT message_id, {PRESENT} AS present, {{former}} AS former
        FROM {{table}} AS changed GROUP BY message_id
    ) AS counts JOIN chat_message ON chat_message.id = message_id GROUP BY conversation_id
"""
GENERATIONS_ON_POSTGRES = "".join(
    f"""
CREATE FUNCTION chat_size_generation_{table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {CHANGE} + number * {ATTEMPT_BYTES}
    FROM ({FURTHER.format(table=table, former=f"{PRESENT} {sign} count(*)")}) AS change
    WHERE id = conversation_id AND number <> 0;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_size_generation_{kind} AFTER {kind.upper()} ON {GENERATIONS}
    REFERENCING {transition} TABLE AS {table}
    FOR EACH STATEMENT EXECUTE FUNCTION chat_size_generation_{table}();
"""
    for kind, transition, table, sign in (
        ("insert", "NEW", "added", "-"),
        ("delete", "OLD", "removed", "+"),
    )
)
#: A migration has a copy.
BESIDE_ON_POSTGRES = "".join(map(_on_postgres, BESIDE_MESSAGES)) + GENERATIONS_ON_POSTGRES


def make_on_sqlite(cursor: Any) -> None:
    """Count all sizes and create the triggers, if they aren't there."""
    cursor.execute("SELECT name FROM sqlite_master WHERE name LIKE 'chat\\_%' ESCAPE '\\'")
    known = {name for (name,) in cursor.fetchall()}
    if any(table not in known for _name, table, _body in ON_SQLITE):
        return  # not all migrations have been applied
    missing = [(name, body) for name, _table, body in ON_SQLITE if name not in known]
    if missing:
        recount(cursor, "sqlite")
    for name, body in missing:
        cursor.execute(f"CREATE TRIGGER {name} {body}")


def drop_on_sqlite(cursor: Any) -> None:
    for name, _table, _body in ON_SQLITE:
        cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


def make(cursor: Any, vendor: str) -> None:
    """Count all sizes and create the triggers."""
    if vendor == "sqlite":
        make_on_sqlite(cursor)
        return
    cursor.execute(MESSAGES_ON_POSTGRES)
    cursor.execute(BESIDE_ON_POSTGRES)
    recount(cursor, vendor)


def recount(cursor: Any, vendor: str) -> None:
    """Recalculate the sizes of all conversations; only those that were wrong are written."""
    cursor.execute(f"""
        UPDATE chat_conversation SET stored_bytes = real.bytes FROM (
            SELECT chat_conversation.id AS conversation_id, coalesce(sizes.bytes, 0) AS bytes
            FROM chat_conversation LEFT JOIN ({all_sizes(vendor)}) AS sizes
            ON sizes.conversation_id = chat_conversation.id
        ) AS real
        WHERE real.conversation_id = chat_conversation.id AND stored_bytes <> real.bytes
    """)
