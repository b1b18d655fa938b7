"""Add the calls of tools in answers, and tools of personas, groups and rules."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("chat", "0014_case_schedules"),
    ]

    operations = [
        migrations.CreateModel(
            name="WithheldTool",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("tool", models.CharField(max_length=100)),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="withheld_tools",
                        to="auth.group",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("group", "tool"), name="one_withheld_tool_of_a_group"
                    )
                ],
            },
        ),
        migrations.AlterField(
            model_name="rule",
            name="kind",
            field=models.CharField(
                choices=[
                    ("words", "it contains any of these words"),
                    ("pattern", "it matches a pattern"),
                    ("answer_cost", "an answer costs more than (US$)"),
                    ("chat_cost", "it costs more than (US$)"),
                    ("length", "a message is longer than (characters)"),
                    ("tool", "an answer calls any of these tools"),
                ],
                max_length=11,
            ),
        ),
        migrations.AddField(
            model_name="widgetsite",
            name="tool_names",
            field=models.CharField(blank=True, db_default="", default="", max_length=500),
        ),
        migrations.AddField(
            model_name="persona",
            name="tool_names",
            field=models.CharField(blank=True, db_default="", default="", max_length=500),
        ),
        migrations.CreateModel(
            name="StoredToolCall",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("place", models.PositiveSmallIntegerField()),
                ("round", models.PositiveSmallIntegerField()),
                ("text_length", models.PositiveIntegerField(default=0)),
                ("tool", models.CharField(max_length=100)),
                ("arguments", models.TextField()),
                ("is_edited", models.BooleanField(default=False)),
                ("has_effects", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("proposed", "Proposed"),
                            ("approved", "Approved"),
                            ("refused", "Refused"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        max_length=8,
                    ),
                ),
                ("result", models.TextField(blank=True)),
                ("result_count", models.PositiveIntegerField(blank=True, null=True)),
                ("problem", models.CharField(blank=True, max_length=20)),
                ("extra_content", models.JSONField(blank=True, null=True)),
                ("decided_by", models.BigIntegerField(blank=True, null=True)),
                ("refusal", models.CharField(blank=True, max_length=500)),
                ("proposed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tool_calls",
                        to="chat.message",
                    ),
                ),
            ],
            options={
                "ordering": ("place",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("message", "place"), name="one_tool_call_per_place"
                    )
                ],
            },
        ),
    ]
