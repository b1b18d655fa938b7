"""Create the search index and the triggers.

The SQL in sql/ is a copy of the modules that tests/project/test_schema.py compares it with. A change
in these modules needs a new migration.

On SQLite, only tables are created here. It drops triggers whenever a migration recreates a table, so
all triggers are created after all migrations, by chat/review/trigger_setup.py and
chat/conversations/search/index_setup.py.
"""

from pathlib import Path

from django.core.management import call_command
from django.db import migrations

SQL = Path(__file__).parent / "sql"
#: The table of Django's database cache, created even if Redis is used, so that switching is easy.
CACHE_TABLE = "chat_cache"
FILES = {
    "sqlite": ["search"],
    "postgresql": ["search", "sizes", "statistics", "cases", "append_only"],
}
# A collation that knows the case of all letters, in case the database's own does not.
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
