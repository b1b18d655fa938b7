"""What the database does by itself: the search index, and triggers.

The SQL in sql/ is what these were when this migration was written; what they are today is said by
the modules that tests/project/test_schema.py compares it with. To change one is a new migration.

On SQLite only tables are made here. It loses triggers whenever a migration makes a table anew, so
all of them are made after all migrations: chat/review/trigger_setup.py, chat/conversations/search/.
"""

from pathlib import Path

from django.core.management import call_command
from django.db import migrations

SQL = Path(__file__).parent / "sql"
#: Of Django's database cache. It is made whatever cache is set: nothing is to be done when that changes.
CACHE_TABLE = "chat_cache"
FILES = {
    "sqlite": ["search"],
    "postgresql": ["search", "sizes", "statistics", "cases", "append_only"],
}
# What knows the cases of all letters, where the database itself does not.
COLLATION = """
SELECT collname FROM pg_collation WHERE collname IN ('pg_c_utf8', 'und-x-icu', 'C.utf8')
AND lower('Ж') <> 'ж' ORDER BY collname = 'pg_c_utf8' DESC LIMIT 1
"""


def make(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    with schema_editor.connection.cursor() as cursor:
        collation = find_collation(cursor) if vendor == "postgresql" else ""
        for name in FILES[vendor]:
            statements = (SQL / f"{name}.{vendor}.sql").read_text(encoding="utf-8")
            cursor.execute(statements.replace("/* COLLATION */", collation))


def find_collation(cursor):
    cursor.execute(COLLATION)
    found = cursor.fetchone()
    return f'COLLATE "{found[0]}"' if found else ""


def drop(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    with schema_editor.connection.cursor() as cursor:
        cursor.execute((SQL / f"drop.{vendor}.sql").read_text(encoding="utf-8"))


def make_cache(apps, schema_editor):
    alias = schema_editor.connection.alias
    call_command("createcachetable", CACHE_TABLE, database=alias, verbosity=0)


def drop_cache(apps, schema_editor):
    schema_editor.execute(f"DROP TABLE {schema_editor.quote_name(CACHE_TABLE)}")


class Migration(migrations.Migration):
    dependencies = [("chat", "0001_initial")]

    operations = [
        migrations.RunPython(make_cache, drop_cache),
        migrations.RunPython(make, drop),
    ]
