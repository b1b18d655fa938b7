"""Create the search index on PostgreSQL: a table, functions and triggers.

Each word is indexed twice: for its owner, `5_river`, and for everybody in a span of time,
`s6611_river`. A function here splits texts into words as chat/lib/words.py does; the database's own
parser would treat addresses, numbers and hyphens specially.

Migrations have a copy of this SQL, which tests/project/test_schema.py compares: what changes here
is a new migration.
"""
# ruff: noqa: S608  (only constants of chat/lib/words.py and position.py are interpolated)

from typing import Any

from django.db import transaction

from chat.conversations.search.position import BITS_IN_SPAN, BITS_OF_ID, LATEST_SECOND, LONG_MESSAGE
from chat.lib.combining import LONG_RUN
from chat.lib.words import BETWEEN, JOINED, MARKS, WORD_LENGTH

MESSAGES_AT_ONCE = 5000
LAST_POSITION = 16383  # the largest that a vector distinguishes

TABLE = """
CREATE TABLE chat_search (
    owner_id bigint NOT NULL,
    place bigint NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (owner_id, place)
)
"""
FUNCTIONS = f"""
CREATE FUNCTION chat_search_folded(given text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE
        WHEN octet_length(given) = length(given) THEN lower(given)
        ELSE replace(lower(normalize(regexp_replace(normalize(
            regexp_replace(given, '{LONG_RUN}', '\\1', 'g'), NFKD
        ), '[{MARKS}]', '', 'g'), NFKC) %(collation)s), 'ς', 'σ')
    END
$$;
CREATE FUNCTION chat_search_words(given text) RETURNS SETOF text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    folded text := chat_search_folded(given);
BEGIN
    IF folded !~ '[{JOINED}]' THEN  -- four times as fast
        RETURN QUERY SELECT left(word, {WORD_LENGTH})
        FROM string_to_table(regexp_replace(folded, '[{BETWEEN}]+', ' ', 'g'), ' ') AS word
        WHERE word <> '';
    ELSE
        RETURN QUERY SELECT CASE
            WHEN run[1] IS NULL THEN left(run[2], {WORD_LENGTH}) ELSE substr(run[1], place, 2)
        END
        FROM regexp_matches(folded, '([{JOINED}]+)|([^{JOINED}{BETWEEN}]+)', 'g')
            WITH ORDINALITY AS runs (run, number),
            generate_series(1, coalesce(length(run[1]), 1)) AS place
        ORDER BY number, place;
    END IF;
END
$$;
CREATE FUNCTION chat_search_vector(owner bigint, place bigint, given text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN coalesce((
        SELECT string_agg(
            '''' || whose || '_' || word || ''':' || least(number, {LAST_POSITION}), ' '
        )
        FROM chat_search_words(given) WITH ORDINALITY AS words (word, number),
            unnest(ARRAY[owner::text, 's' || (place >> {BITS_IN_SPAN})]) AS whose
    ), '')::tsvector;
EXCEPTION WHEN program_limit_exceeded THEN
    -- More different words than a vector holds: its first half is found.
    RETURN chat_search_vector(owner, place, left(given, length(given) / 2));
END
$$;
CREATE FUNCTION chat_search_place(said_at timestamptz, id bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT (greatest(0, least({LATEST_SECOND}, floor(extract(epoch FROM said_at))))::bigint
        << {BITS_OF_ID}) + id
$$;
CREATE FUNCTION chat_search_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM chat_search WHERE place = chat_search_place(old.created_at, old.id);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO chat_search (place, owner_id, words)
        SELECT said, owner_id, chat_search_vector(owner_id, said, new.text)
        FROM chat_conversation, chat_search_place(new.created_at, new.id) AS said
        WHERE chat_conversation.id = new.conversation_id AND new.text <> ''
            AND length(new.text) <= {LONG_MESSAGE};
        IF length(new.text) > {LONG_MESSAGE} THEN
            INSERT INTO chat_unindexedmessage (message_id) VALUES (new.id) ON CONFLICT DO NOTHING;
        END IF;
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION chat_search_clear() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE chat_search;
    RETURN NULL;
END
$$;
"""
TRIGGERS = """
CREATE TRIGGER chat_search_insert_delete AFTER INSERT OR DELETE ON chat_message
    FOR EACH ROW EXECUTE FUNCTION chat_search_keep();
CREATE TRIGGER chat_search_update AFTER UPDATE ON chat_message FOR EACH ROW WHEN (
    (old.text, old.created_at, old.conversation_id)
    IS DISTINCT FROM (new.text, new.created_at, new.conversation_id)
) EXECUTE FUNCTION chat_search_keep();
CREATE TRIGGER chat_search_truncate AFTER TRUNCATE ON chat_message
    FOR EACH STATEMENT EXECUTE FUNCTION chat_search_clear();
"""
FILL = """
INSERT INTO chat_search (place, owner_id, words)
SELECT said, owner_id, chat_search_vector(owner_id, said, text)
FROM chat_message message JOIN chat_conversation owner ON owner.id = conversation_id,
    chat_search_place(message.created_at, message.id) AS said
WHERE text <> '' AND message.id > %s AND message.id <= %s
"""
# Without fastupdate: a search would have to read the list of pending entries.
INDEXES = """
CREATE INDEX chat_search_words ON chat_search USING gin (words) WITH (fastupdate = off);
-- For what is deleted, and for the staff, who look through everybody's newest.
CREATE INDEX chat_search_place ON chat_search (place);
"""


def make(cursor: Any) -> None:
    """Create the index and add all existing messages."""
    cursor.execute(TABLE)
    cursor.execute(FUNCTIONS.replace("%(collation)s", _collation(cursor)))
    cursor.execute(TRIGGERS)
    _fill(cursor)


def refill(cursor: Any) -> None:
    """Make the index anew from all messages, also those that wait for being indexed."""
    cursor.execute("DROP INDEX chat_search_words, chat_search_place")
    cursor.execute("DELETE FROM chat_search")
    _fill(cursor)
    cursor.execute("DELETE FROM chat_unindexedmessage")


def _fill(cursor: Any) -> None:
    cursor.execute("SELECT coalesce(min(id), 1), coalesce(max(id), 0) FROM chat_message")
    first, last = cursor.fetchone()
    for before in range(first - 1, last, MESSAGES_AT_ONCE):
        cursor.execute(FILL, [before, before + MESSAGES_AT_ONCE])
    cursor.execute(INDEXES)
    cursor.execute("ANALYZE chat_search")


def add_waiting(cursor: Any, message_id: int) -> None:
    """Index a waiting message."""
    with transaction.atomic(using=cursor.db.alias):
        # Locked, so that it cannot be deleted or changed while its words are indexed.
        cursor.execute(
            "SELECT chat_search_place(created_at, id) FROM chat_message WHERE id = %s "
            "FOR NO KEY UPDATE",
            [message_id],
        )
        places = cursor.fetchall()
        # Comes first: it waits for a concurrent change of owner, so the new owner is read
        # afterwards.
        cursor.execute("DELETE FROM chat_unindexedmessage WHERE message_id = %s", [message_id])
        for (place,) in places:
            cursor.execute("DELETE FROM chat_search WHERE place = %s", [place])
            cursor.execute(FILL, [message_id - 1, message_id])


def _collation(cursor: Any) -> str:
    """Return a collation that maps the case of all letters, if the database's own does not."""
    cursor.execute(
        "SELECT collname FROM pg_collation WHERE collname IN ('pg_c_utf8', 'und-x-icu', 'C.utf8') "
        "AND lower('Ж') <> 'ж' ORDER BY collname = 'pg_c_utf8' DESC LIMIT 1"
    )
    row = cursor.fetchone()
    return f'COLLATE "{row[0]}"' if row else ""
