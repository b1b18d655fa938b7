"""Describe the schema of the database, to compare two of them."""

import re
from typing import Any

from django.db import connection

Schema = dict[tuple[str, ...], str]

OF_SQLITE = "SELECT type, name, sql FROM sqlite_master"
OF_POSTGRES = """
SELECT 'function', proname::text, pg_get_functiondef(oid) FROM pg_proc
WHERE pronamespace = 'public'::regnamespace
UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid, true) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid, true)
FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 't'
UNION ALL SELECT 'column', table_name || '.' || column_name,
    concat_ws(' ', data_type, character_maximum_length, is_nullable, column_default,
        collation_name, identity_generation, generation_expression)
FROM information_schema.columns WHERE table_schema = 'public'
"""


def schema(cursor: Any) -> Schema:
    """Return the definition of everything in the database, by its kind and name."""
    cursor.execute(OF_SQLITE if connection.vendor == "sqlite" else OF_POSTGRES)
    return {(kind, name): _normal(sql or "") for kind, name, sql in cursor.fetchall()}


def _normal(sql: str) -> str:
    """Return SQL without insignificant whitespace, and without casts between kinds of text.

    PostgreSQL adds the casts, and parentheses, in other places when it reads its own dump.
    """
    sql = re.sub(r"\s*([^\w\s'\"$])\s*", r"\1", " ".join(sql.split()))
    sql = re.sub(r"::(text|character varying)(\[\])?", "", sql)
    sql = re.sub(r"(?<=[\[,])\(('[^']*')\)", r"\1", sql)
    return re.sub(r"\(\((ARRAY\[[^]]*\])\)\)", r"(\1)", sql)
