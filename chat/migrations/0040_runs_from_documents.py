"""Remember that a run answers from documents, also when their collection is deleted."""

from django.db import migrations, models

PREVIOUS_VERSION_RUNS = "It neither reads nor writes the new column, which has a default."


def note_collections(apps, schema_editor):
    runs = apps.get_model("chat", "EvaluationRun").objects
    runs.filter(collection__isnull=False).update(has_documents=True)


class Migration(migrations.Migration):
    dependencies = [("chat", "0039_visitor_forms")]

    operations = [
        migrations.AddField(
            "evaluationrun", "has_documents", models.BooleanField(db_default=False, default=False)
        ),
        migrations.RunPython(note_collections, migrations.RunPython.noop),
    ]
