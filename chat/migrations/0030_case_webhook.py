"""Send events of cases to an address, and keep the attempts."""

import django.utils.timezone
from django.db import migrations, models


def _id() -> models.BigAutoField:
    return models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )


class Migration(migrations.Migration):
    dependencies = [("chat", "0029_reminders_and_costs_by_mail")]

    operations = [
        migrations.CreateModel(
            "CaseWebhook",
            [
                ("id", _id()),
                ("url", models.CharField(max_length=200)),
                ("secret", models.CharField(max_length=64)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            "CaseWebhookAttempt",
            [
                ("id", _id()),
                ("event", models.CharField(max_length=20)),
                ("case", models.BigIntegerField(null=True)),
                ("number", models.PositiveSmallIntegerField()),
                ("error", models.CharField(blank=True, max_length=100)),
                (
                    "created_at",
                    models.DateTimeField(db_index=True, default=django.utils.timezone.now),
                ),
            ],
        ),
    ]
