"""Let a website's team assign, snooze and close chats."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0035_question_topics")]

    operations = [
        migrations.CreateModel(
            "HandledChat",
            [
                (
                    "conversation",
                    models.OneToOneField(
                        on_delete=models.deletion.CASCADE,
                        primary_key=True,
                        related_name="handled",
                        serialize=False,
                        to="chat.conversation",
                    ),
                ),
                ("assignee", models.BigIntegerField(null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open chat"),
                            ("snoozed", "Snoozed"),
                            ("closed", "Closed"),
                        ],
                        default="open",
                        max_length=7,
                    ),
                ),
                ("snoozed_until", models.DateTimeField(null=True)),
                ("changed_by", models.BigIntegerField(null=True)),
                ("changed_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["assignee"], name="handled_chats_by_assignee"),
                    models.Index(fields=["state", "snoozed_until"], name="handled_chats_by_state"),
                ]
            },
        ),
        migrations.AlterField(
            "takeover",
            "ended_by",
            models.CharField(
                blank=True,
                choices=[
                    ("handed_back", "Handed Back"),
                    ("left", "Left"),
                    ("transferred", "Transferred"),
                ],
                max_length=11,
            ),
        ),
        migrations.AlterField(
            "sitenotice",
            "kind",
            models.CharField(
                choices=[
                    ("person_requested", "Person Requested"),
                    ("rated_badly", "Rated Badly"),
                    ("waiting", "Waiting"),
                    ("assigned", "Assigned"),
                    ("snooze_over", "Snooze Over"),
                ],
                max_length=16,
            ),
        ),
    ]
