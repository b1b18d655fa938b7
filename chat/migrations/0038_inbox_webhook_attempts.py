"""Let owners see what became of the requests to their webhook."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0037_inbox_labels")]

    operations = [
        migrations.CreateModel(
            "InboxWebhookAttempt",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("delivery", models.UUIDField()),
                ("event", models.CharField(max_length=16)),
                ("number", models.PositiveSmallIntegerField()),
                ("error", models.CharField(blank=True, max_length=100)),
                (
                    "created_at",
                    models.DateTimeField(db_index=True, default=django.utils.timezone.now),
                ),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=models.deletion.CASCADE,
                        related_name="webhook_attempts",
                        to="chat.widgetsite",
                    ),
                ),
            ],
        ),
    ]
