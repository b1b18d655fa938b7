import django.db.models.deletion
from django.db import migrations, models

from chat.conversations.search import postgres_index
from chat.conversations.sizes import size_triggers


def make_triggers(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    with schema_editor.connection.cursor() as cursor:
        size_triggers.make(cursor, vendor)
        if vendor == "postgresql":
            cursor.execute(postgres_index.KEEP)


def drop_triggers(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        size_triggers.drop(cursor, schema_editor.connection.vendor)


class Migration(migrations.Migration):
    dependencies = [("chat", "0026_longer_views")]

    operations = [
        migrations.AddField(
            model_name="conversation",
            name="stored_bytes",
            field=models.BigIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="message",
            name="is_imported",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.CreateModel(
            name="UnindexedMessage",
            fields=[
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="chat.message",
                    ),
                ),
            ],
        ),
        migrations.RunPython(make_triggers, drop_triggers),
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(fields=["owner", "stored_bytes"], name="conversation_sizes"),
        ),
    ]
