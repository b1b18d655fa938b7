import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0024_queue"),
    ]

    operations = [
        # Columns without a default: SQLite adds them without copying the table.
        migrations.AddField(
            model_name="message",
            name="author",
            field=models.BigIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="message",
            name="send_key",
            field=models.CharField(blank=True, editable=False, max_length=64, null=True),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(
                condition=models.Q(("send_key__isnull", False)),
                fields=("conversation", "send_key"),
                name="one_message_per_send",
            ),
        ),
        migrations.AddField(
            model_name="generation",
            name="stop_cause",
            field=models.SmallIntegerField(
                blank=True, choices=[(1, "Staff"), (2, "Takeover")], null=True
            ),
        ),
        migrations.CreateModel(
            name="Takeover",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("person", models.BigIntegerField()),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_seen_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ended_by",
                    models.CharField(
                        blank=True,
                        choices=[("handed_back", "Handed Back"), ("left", "Left")],
                        max_length=11,
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="takeovers",
                        to="chat.conversation",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=("conversation",),
                        name="one_takeover_at_a_time",
                    )
                ]
            },
        ),
    ]
