"""Store verdicts of a judge on messages, and what rules do with them."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

KINDS = [
    ("words", "it contains any of these words"),
    ("pattern", "it matches a pattern"),
    ("answer_cost", "an answer costs more than (US$)"),
    ("chat_cost", "it costs more than (US$)"),
    ("length", "a message is longer than (characters)"),
    ("tool", "an answer calls any of these tools"),
    ("verdict", "the judge is at least this sure (%)"),
]
ACTIONS = [
    ("queue", "put the chat in the queue"),
    ("mark", "only show the verdict to staff"),
    ("refuse", "don't send the question"),
    ("cover", "hide the message, and put the chat in the queue"),
    ("person", "ask for a person, and put the chat in the queue"),
]
CATEGORIES = [
    ("harmful", "harmful in any way"),
    ("violence", "violence"),
    ("self_harm", "self-harm"),
    ("sexual", "sexual content"),
    ("hate", "hate"),
    ("harassment", "harassment"),
    ("dangerous", "crime, weapons, drugs or malware"),
    ("personal", "personal data"),
    ("ungrounded", "not based on its sources"),
    ("unanswered", "question not answered"),
    ("person", "wants to talk to a person"),
]


class Migration(migrations.Migration):
    dependencies = [("chat", "0019_withdrawn_rules_and_viewed_people")]

    operations = [
        migrations.CreateModel(
            "MessageVerdict",
            [
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="verdict",
                        serialize=False,
                        to="chat.message",
                    ),
                ),
                ("model", models.CharField(max_length=200)),
                ("probabilities", models.JSONField()),
                ("harm", models.FloatField(db_index=True)),
                ("characters", models.IntegerField()),
                ("microdollars", models.BigIntegerField()),
                ("milliseconds", models.IntegerField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.AddField(
            "rule",
            "category",
            models.CharField(
                blank=True, choices=CATEGORIES, db_default="", default="", max_length=20
            ),
        ),
        migrations.AddField("rule", "share", models.SmallIntegerField(db_default=100, default=100)),
        migrations.AddField(
            "rule", "fails_closed", models.BooleanField(db_default=False, default=False)
        ),
        migrations.AddField(
            "rule",
            "action",
            models.CharField(choices=ACTIONS, db_default="queue", default="queue", max_length=7),
        ),
        # Choices are not in the schema.
        migrations.AlterField("rule", "kind", models.CharField(choices=KINDS, max_length=11)),
    ]
