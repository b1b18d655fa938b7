"""Store what administrators are told once: spending that nears a limit, and failing answers."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

NOTICE_KINDS = [
    ("assigned", "A case was assigned to you."),
    ("mentioned", "A note mentions you."),
    ("severe", "A case has high severity."),
    ("unclaimed", "A case of high severity is still unassigned."),
    ("budget", "Much of a spending limit is used."),
    ("failing", "Many answers are failing."),
    ("working", "Answers are working again."),
]


class Migration(migrations.Migration):
    dependencies = [("chat", "0021_data_requests")]

    operations = [
        migrations.CreateModel(
            "Alert",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("budget", "Budget"), ("failing", "Failing")], max_length=7
                    ),
                ),
                ("meter", models.CharField(blank=True, max_length=150)),
                ("month", models.DateTimeField(null=True)),
                ("microdollars", models.BigIntegerField(default=0)),
                ("percent", models.PositiveSmallIntegerField()),
                ("is_over", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            {
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "budget")),
                        fields=("meter", "month", "microdollars", "percent"),
                        name="one_alert_of_a_budget",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("is_over", False), ("kind", "failing")),
                        fields=("kind",),
                        name="one_alert_while_answers_fail",
                    ),
                ],
            },
        ),
        migrations.AddField(
            "staffnotice",
            "alert",
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, to="chat.alert"
            ),
        ),
        # Neither choices nor defaults are in the schema.
        migrations.AlterField(
            "staffnotice", "conversation", models.UUIDField(default=uuid.UUID(int=0))
        ),
        migrations.AlterField(
            "staffnotice", "kind", models.CharField(choices=NOTICE_KINDS, max_length=9)
        ),
    ]
