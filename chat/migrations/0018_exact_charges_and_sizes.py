"""Tell what answers have used from what they reserve, and count all that a chat has as its size.

On SQLite the triggers are created after all migrations, which also counts all sizes again: see
chat/conversations/search/index_setup.py.
"""

from pathlib import Path

from django.db import migrations, models

PREVIOUS_VERSION_RUNS = (
    "Triggers count for it what it stores, and it has read the size since 0.1.0."
)
SQL = Path(__file__).parent / "sql"


def make(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        with schema_editor.connection.cursor() as cursor:
            cursor.execute((SQL / "more_sizes.postgresql.sql").read_text(encoding="utf-8"))


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        with schema_editor.connection.cursor() as cursor:
            cursor.execute((SQL / "drop_more_sizes.postgresql.sql").read_text(encoding="utf-8"))


def used(unit):
    field = models.BigIntegerField(db_default=0, default=0)
    return migrations.AddField(model_name="charge", name=f"used_{unit}", field=field)


class Migration(migrations.Migration):
    dependencies = [("chat", "0017_mcp_connections")]

    operations = [
        used("tokens"),
        used("millineurons"),
        used("microdollars"),
        migrations.RunPython(make, drop),
    ]
