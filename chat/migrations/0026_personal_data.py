"""Store which kinds of personal data messages have, and let rules look for them.

All new messages wait to be looked at, whether or not there is a rule. On SQLite the triggers are
created after all migrations.
"""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

PREVIOUS_VERSION_RUNS = "It takes messages out of the queue, too, if there is no rule."
SQL = Path(__file__).parent / "sql"
KINDS = [
    ("words", "it contains any of these words"),
    ("pattern", "it matches a pattern"),
    ("personal", "it contains personal data of these kinds"),
    ("answer_cost", "an answer costs more than (US$)"),
    ("chat_cost", "it costs more than (US$)"),
    ("length", "a message is longer than (characters)"),
    ("tool", "an answer calls any of these tools"),
    ("verdict", "the judge is at least this sure (%)"),
]
ACTIONS = [
    ("queue", "put the chat in the queue"),
    ("mark", "only show it to staff"),
    ("refuse", "don't send the question"),
    ("cover", "hide the message, and put the chat in the queue"),
    ("person", "ask for a person, and put the chat in the queue"),
]


def run(name):
    def statements(apps, schema_editor):
        if schema_editor.connection.vendor == "postgresql":
            with schema_editor.connection.cursor() as cursor:
                cursor.execute((SQL / f"{name}.postgresql.sql").read_text(encoding="utf-8"))

    return statements


class Migration(migrations.Migration):
    dependencies = [("chat", "0025_expiry_notices")]

    operations = [
        migrations.CreateModel(
            "MessagePersonalData",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="personal_data",
                        to="chat.message",
                    ),
                ),
                ("kind", models.CharField(max_length=10)),
                ("count", models.IntegerField()),
            ],
            options={
                "indexes": [models.Index(fields=["kind", "message"], name="personal_data_by_kind")],
                "constraints": [
                    models.UniqueConstraint(fields=("message", "kind"), name="one_row_of_a_kind")
                ],
            },
        ),
        migrations.CreateModel(
            "PersonalDataScan",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("region", models.CharField(max_length=2)),
                ("before", models.BigIntegerField(null=True)),
            ],
        ),
        migrations.AddField(
            "rule",
            "data_kinds",
            models.CharField(blank=True, db_default="", default="", max_length=60),
        ),
        # Choices are not in the schema.
        migrations.AlterField("rule", "kind", models.CharField(choices=KINDS, max_length=11)),
        migrations.AlterField(
            "rule",
            "action",
            models.CharField(choices=ACTIONS, db_default="queue", default="queue", max_length=7),
        ),
        migrations.RunPython(run("all_checks"), run("ruled_checks")),
    ]
