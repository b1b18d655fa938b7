"""Store the language of messages, and how many questions people write in each."""

import django.db.models.deletion
from django.db import migrations, models

KINDS = [
    ("words", "it contains any of these words"),
    ("pattern", "it matches a pattern"),
    ("personal", "it contains personal data of these kinds"),
    ("language", "it is written in any of these languages"),
    ("answer_cost", "an answer costs more than (US$)"),
    ("chat_cost", "it costs more than (US$)"),
    ("length", "a message is longer than (characters)"),
    ("tool", "an answer calls any of these tools"),
    ("verdict", "the judge is at least this sure (%)"),
]


class Migration(migrations.Migration):
    dependencies = [("chat", "0033_rules_while_writing")]

    operations = [
        migrations.CreateModel(
            "MessageLanguage",
            [
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="language",
                        serialize=False,
                        to="chat.message",
                    ),
                ),
                ("language", models.CharField(max_length=3)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["language", "message"], name="messages_by_language")
                ],
            },
        ),
        migrations.CreateModel(
            "DailyLanguages",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("owner", models.BigIntegerField()),
                ("site", models.CharField(blank=True, max_length=64)),
                ("language", models.CharField(blank=True, max_length=3)),
                ("count", models.PositiveIntegerField(default=0)),
            ],
            options={
                "indexes": [models.Index(fields=["day", "owner"], name="daily_languages_by_owner")],
            },
        ),
        migrations.AddField(
            "conversationstats", "languages", models.TextField(db_default=" ", default=" ")
        ),
        migrations.AddField(
            "personaldatascan", "version", models.SmallIntegerField(db_default=0, default=0)
        ),
        # Choices are not in the schema.
        migrations.AlterField("rule", "kind", models.CharField(choices=KINDS, max_length=11)),
    ]
