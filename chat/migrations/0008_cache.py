"""The table of Django's database cache, which counts sign-ins where there is no Redis.

It is made whatever cache is set: nothing is to be done when that changes.
"""

from django.core.management import call_command
from django.db import migrations

TABLE = "chat_cache"


def make(apps, schema_editor):
    call_command("createcachetable", TABLE, database=schema_editor.connection.alias, verbosity=0)


def drop(apps, schema_editor):
    schema_editor.execute(f"DROP TABLE {schema_editor.quote_name(TABLE)}")


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0007_reading"),
    ]

    operations = [migrations.RunPython(make, drop)]
