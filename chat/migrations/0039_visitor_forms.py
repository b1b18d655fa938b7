"""Let websites ask visitors for their name, email address and subject before the first message."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0038_inbox_webhook_attempts")]

    operations = [
        migrations.CreateModel(
            "VisitorForm",
            [
                (
                    "site",
                    models.OneToOneField(
                        on_delete=models.deletion.CASCADE,
                        primary_key=True,
                        related_name="visitor_form",
                        serialize=False,
                        to="chat.widgetsite",
                    ),
                ),
                ("asks_name", models.BooleanField(default=False)),
                ("asks_email", models.BooleanField(default=False)),
                ("question", models.CharField(blank=True, max_length=100)),
                ("choices", models.JSONField(default=list)),
                ("is_required", models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            "VisitorDetails",
            [
                (
                    "visitor",
                    models.OneToOneField(
                        on_delete=models.deletion.CASCADE,
                        primary_key=True,
                        related_name="details",
                        serialize=False,
                        to="chat.visitor",
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=100)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("choice", models.CharField(blank=True, max_length=60)),
                ("given_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
    ]
