from django.db import migrations

from chat.conversations.search import postgres


def index_by_time(apps, schema_editor):
    """Everybody's words by the span of time they were said in: chat/conversations/search/."""
    if schema_editor.connection.vendor == "postgresql":
        with schema_editor.connection.cursor() as cursor:
            postgres.drop(cursor)
            postgres.make(cursor)


class Migration(migrations.Migration):
    dependencies = [("chat", "0019_scopes_of_sites")]

    operations = [migrations.RunPython(index_by_time, migrations.RunPython.noop)]
