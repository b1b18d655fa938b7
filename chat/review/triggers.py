"""Define triggers that maintain `ConversationStats` and protect the audit log.

Answers are stored in several ways, some of which send no signals; triggers see them all, in their
own transaction. SQLite loses triggers when a migration rebuilds a table, so they are dropped before
migrations and created again afterwards (trigger_setup.py). PostgreSQL has them from a migration:
tests/project/test_schema.py compares its copy of this SQL.
"""
# ruff: noqa: S608  (what is put into the statements are constants)

from collections.abc import Collection
from typing import Any

from chat.review import append_only_triggers
from chat.review.cases.triggers import OF_CASES

BIT = """
CASE {row}.state WHEN 'complete' THEN 1 WHEN 'stopped' THEN 2
    WHEN 'interrupted' THEN 4 WHEN 'failed' THEN 8 ELSE 0 END
"""
BEGIN = """
INSERT INTO chat_conversationstats (
    conversation_id, owner_id, updated_at, is_hidden,
    model_names, states, tokens, cost_usd, good, bad
) VALUES (new.id, new.owner_id, new.updated_at, new.purge_after IS NOT NULL, ' ', 0, 0, 0, 0, 0)
"""
FOLLOW = """
UPDATE chat_conversationstats SET owner_id = new.owner_id, updated_at = new.updated_at,
    is_hidden = new.purge_after IS NOT NULL WHERE conversation_id = new.id
"""
OF_MESSAGE = "WHERE conversation_id = (SELECT conversation_id FROM chat_message WHERE id = {id})"


def _answer(tokens: str, cost: str) -> str:
    return f"""
        UPDATE chat_conversationstats SET
            model_names = CASE WHEN replace(model_names, ' ' || new.model || ' ', '') = model_names
                THEN model_names || new.model || ' ' ELSE model_names END,
            states = states | {BIT.format(row="new")},
            tokens = tokens + {tokens}, cost_usd = cost_usd + {cost}
        {OF_MESSAGE.format(id="new.message_id")}
    """


ANSWER_ADDED = _answer("coalesce(new.total_tokens, 0)", "coalesce(new.cost_usd, 0)")
ANSWER_CHANGED = _answer(
    "coalesce(new.total_tokens, 0) - coalesce(old.total_tokens, 0)",
    "coalesce(new.cost_usd, 0) - coalesce(old.cost_usd, 0)",
)


def _rated(row: str, sign: str) -> str:
    return f"""
        UPDATE chat_conversationstats SET
            good = good {sign} CASE WHEN {row}.value > 0 THEN 1 ELSE 0 END,
            bad = bad {sign} CASE WHEN {row}.value < 0 THEN 1 ELSE 0 END
        {OF_MESSAGE.format(id=f"{row}.message_id")}
    """


#: Trigger name → event, table, and the statement for each row.
KEEPING = {
    "chat_conversationstats_begin": ("INSERT", "chat_conversation", BEGIN),
    "chat_conversationstats_follow": (
        "UPDATE OF owner_id, updated_at, purge_after", "chat_conversation", FOLLOW,
    ),
    "chat_conversationstats_answer": ("INSERT", "chat_generation", ANSWER_ADDED),
    "chat_conversationstats_ending": (
        "UPDATE OF model, state, total_tokens, cost_usd", "chat_generation", ANSWER_CHANGED,
    ),
    "chat_conversationstats_rated": ("INSERT", "chat_rating", _rated("new", "+")),
    "chat_conversationstats_unrated": ("DELETE", "chat_rating", _rated("old", "-")),
    "chat_conversationstats_rerated": (
        "UPDATE OF value", "chat_rating", f"{_rated('old', '-')}; {_rated('new', '+')}",
    ),
}  # fmt: skip
APPEND_ONLY = tuple(append_only_triggers.TABLES)
MISSING = f"""
INSERT INTO chat_conversationstats (
    conversation_id, owner_id, updated_at, is_hidden,
    model_names, states, tokens, cost_usd, good, bad
)
SELECT c.id, c.owner_id, c.updated_at, c.purge_after IS NOT NULL,
    coalesce((SELECT ' ' || %(joined)s || ' ' FROM (
        SELECT DISTINCT g.model FROM chat_generation g JOIN chat_message m ON m.id = g.message_id
        WHERE m.conversation_id = c.id
    ) used), ' '),
    coalesce((SELECT sum(DISTINCT {BIT.format(row="g")}) FROM chat_generation g
        JOIN chat_message m ON m.id = g.message_id WHERE m.conversation_id = c.id), 0),
    coalesce((SELECT sum(g.total_tokens) FROM chat_generation g
        JOIN chat_message m ON m.id = g.message_id WHERE m.conversation_id = c.id), 0),
    coalesce((SELECT sum(g.cost_usd) FROM chat_generation g
        JOIN chat_message m ON m.id = g.message_id WHERE m.conversation_id = c.id), 0),
    (SELECT count(*) FROM chat_rating r JOIN chat_message m ON m.id = r.message_id
        WHERE m.conversation_id = c.id AND r.value > 0),
    (SELECT count(*) FROM chat_rating r JOIN chat_message m ON m.id = r.message_id
        WHERE m.conversation_id = c.id AND r.value < 0)
FROM chat_conversation c
WHERE NOT EXISTS (SELECT 1 FROM chat_conversationstats WHERE conversation_id = c.id)
"""


def make(cursor: Any, vendor: str, tables: Collection[str] = APPEND_ONLY) -> None:
    for name, (when, table, body) in KEEPING.items():
        _make(cursor, vendor, name, f"AFTER {when} ON {table}", body)
    make_append_only(cursor, vendor, tables)


def drop(cursor: Any, vendor: str) -> None:
    for name, (_when, table, _body) in KEEPING.items():
        _drop(cursor, vendor, name, table)
    drop_append_only(cursor, vendor)


def make_append_only(cursor: Any, vendor: str, tables: Collection[str] = APPEND_ONLY) -> None:
    """Protect these tables: rows can only be added."""
    append_only_triggers.protect(cursor, vendor, tables)


def drop_append_only(cursor: Any, vendor: str, tables: Collection[str] = APPEND_ONLY) -> None:
    append_only_triggers.unprotect(cursor, vendor, tables)


def make_for_cases(cursor: Any, vendor: str) -> None:
    for name, (when, table, body) in OF_CASES.items():
        _make(cursor, vendor, name, f"AFTER {when} ON {table}", body)


def drop_for_cases(cursor: Any, vendor: str) -> None:
    for name, (_when, table, _body) in OF_CASES.items():
        _drop(cursor, vendor, name, table)


def fill(cursor: Any, vendor: str) -> None:
    """Add missing statistics of conversations."""
    function = "group_concat(model, ' ')" if vendor == "sqlite" else "string_agg(model, ' ')"
    cursor.execute(MISSING.replace("%(joined)s", function))


def _make(cursor: Any, vendor: str, name: str, when: str, body: str) -> None:
    if vendor == "sqlite":
        cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {when} BEGIN {body}; END")
        return
    cursor.execute(f"""
        CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN {body}; RETURN NULL; END $$;
        CREATE TRIGGER {name} {when} FOR EACH ROW EXECUTE FUNCTION {name}();
    """)


def _drop(cursor: Any, vendor: str, name: str, table: str) -> None:
    if vendor == "sqlite":
        cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
    else:
        cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}; DROP FUNCTION IF EXISTS {name}")
