"""Add MCP servers, and their tools."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("chat", "0015_tool_calls"),
    ]

    operations = [
        migrations.CreateModel(
            name="McpServer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("slug", models.CharField(max_length=16, unique=True)),
                ("address", models.CharField(max_length=300)),
                ("secret", models.TextField(blank=True, db_default="", default="")),
                ("is_enabled", models.BooleanField(db_default=True, default=True)),
                ("for_everybody", models.BooleanField(db_default=True, default=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("listed_at", models.DateTimeField(blank=True, null=True)),
                ("groups", models.ManyToManyField(blank=True, related_name="+", to="auth.group")),
            ],
            options={
                "ordering": ("name", "id"),
            },
        ),
        migrations.CreateModel(
            name="McpTool",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=128)),
                ("function", models.CharField(max_length=64, unique=True)),
                ("description", models.TextField(blank=True)),
                ("schema", models.JSONField()),
                ("says_read_only", models.BooleanField(db_default=False, default=False)),
                ("digest", models.CharField(max_length=64)),
                ("is_listed", models.BooleanField(db_default=True, default=True)),
                ("is_enabled", models.BooleanField(db_default=False, default=False)),
                ("asks_first", models.BooleanField(db_default=True, default=True)),
                (
                    "seen_digest",
                    models.CharField(blank=True, db_default="", default="", max_length=64),
                ),
                ("seen_description", models.TextField(blank=True, db_default="", default="")),
                ("seen_schema", models.JSONField(blank=True, null=True)),
                (
                    "server",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tools",
                        to="chat.mcpserver",
                    ),
                ),
            ],
            options={
                "ordering": ("name", "id"),
                "constraints": [
                    models.UniqueConstraint(fields=("server", "name"), name="one_mcp_tool_per_name")
                ],
            },
        ),
    ]
