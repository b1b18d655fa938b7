"""Add summaries of the oldest messages of long chats."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0008_visitor_files"),
    ]

    operations = [
        migrations.CreateModel(
            name="ChatSummary",
            fields=[
                (
                    "last_message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="summary",
                        serialize=False,
                        to="chat.message",
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("covered_messages", models.PositiveIntegerField()),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="summaries",
                        to="chat.conversation",
                    ),
                ),
            ],
        ),
    ]
