"""Create the triggers that keep `Conversation.stored_bytes`, the size of all its messages.

Messages are written in several ways, some of which send no signals; triggers see them all, in the
same transaction. On SQLite, index_setup.py drops them before migrations and creates them
again.
"""
# ruff: noqa: S608  (only constants are interpolated)

from typing import Any

#: The size of a message besides its text: its row, its generation's row, and index entries.
MESSAGE_BYTES = 500

NEW = "length(CAST(new.text AS BLOB)) + length(CAST(new.reasoning AS BLOB))"
OLD = "length(CAST(old.text AS BLOB)) + length(CAST(old.reasoning AS BLOB))"
CHANGE = "UPDATE chat_conversation SET stored_bytes = stored_bytes"
ON_SQLITE = {
    "chat_size_insert": f"""
        AFTER INSERT ON chat_message
        BEGIN {CHANGE} + {NEW} + {MESSAGE_BYTES} WHERE id = new.conversation_id; END
    """,
    "chat_size_delete": f"""
        AFTER DELETE ON chat_message
        BEGIN {CHANGE} - ({OLD}) - {MESSAGE_BYTES} WHERE id = old.conversation_id; END
    """,
    "chat_size_update": f"""
        AFTER UPDATE OF text, reasoning ON chat_message
        WHEN old.text <> new.text OR old.reasoning <> new.reasoning
        BEGIN {CHANGE} + {NEW} - ({OLD}) WHERE id = new.conversation_id; END
    """,
}

# Once per statement: once per row would leave as many dead versions of the conversation's row.
SUM = """
SELECT conversation_id, sum(octet_length(text) + octet_length(reasoning)) AS bytes,
    count(*) AS messages
FROM {table} GROUP BY conversation_id
"""
ON_POSTGRES = f"""
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
LENGTH = {
    "sqlite": "length(CAST(text AS BLOB)) + length(CAST(reasoning AS BLOB))",
    "postgresql": "octet_length(text) + octet_length(reasoning)",
}


def make_on_sqlite(cursor: Any) -> None:
    for name, body in ON_SQLITE.items():
        cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {body}")


def drop_on_sqlite(cursor: Any) -> None:
    for name in ON_SQLITE:
        cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


def make(cursor: Any, vendor: str) -> None:
    """Count all sizes and create the triggers.

    A migration has a copy of PostgreSQL's.
    """
    recount(cursor, vendor)
    if vendor == "sqlite":
        make_on_sqlite(cursor)
    else:
        cursor.execute(ON_POSTGRES)


def recount(cursor: Any, vendor: str) -> None:
    """Recalculate the sizes of all conversations."""
    cursor.execute(f"""
        UPDATE chat_conversation SET stored_bytes = coalesce((
            SELECT sum({LENGTH[vendor]} + {MESSAGE_BYTES}) FROM chat_message
            WHERE conversation_id = chat_conversation.id
        ), 0)
    """)
