from django.db import migrations

from chat.review import append_only_triggers


def protect(apps, schema_editor):
    """Seals too, and ids that are there already. SQLite's come back after all migrations."""
    if schema_editor.connection.vendor == "postgresql":
        with schema_editor.connection.cursor() as cursor:
            append_only_triggers.protect(cursor, "postgresql")


def unprotect_seals(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        append_only_triggers.unprotect(cursor, schema_editor.connection.vendor, ["chat_auditseal"])


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0027_storage_and_imported_messages"),
    ]

    operations = [migrations.RunPython(protect, unprotect_seals)]
