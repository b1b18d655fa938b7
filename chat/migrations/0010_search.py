"""The search index, with the messages that there are: chat/conversations/search/."""

from django.db import migrations

from chat.conversations.search import postgres, sqlite

INDEXES = {"sqlite": sqlite, "postgresql": postgres}


def make(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        INDEXES[schema_editor.connection.vendor].make(cursor)


def drop(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        INDEXES[schema_editor.connection.vendor].drop(cursor)


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0009_turns"),
    ]

    operations = [migrations.RunPython(make, drop)]
