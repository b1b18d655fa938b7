"""Add sign-ins to MCP servers, and tie permissions to their tools instead of the names."""

from collections.abc import Mapping
from typing import Any

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

PREVIOUS_VERSION_RUNS = """It knows permissions by names only: what it doesn't find, it asks about.
A name that it adds afterwards is no permission in this version, which asks once more."""

DIGEST_CHARS = 32
SEPARATOR = "__"  # between a server and its tool, in the tool's name for models


def tie_permissions(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Replace the names of tools by what identifies them; drop names that no tool has."""
    identities = {
        function: f"mcp:{pk}:{digest[:DIGEST_CHARS]}"
        for pk, function, digest in apps.get_model("chat", "McpTool").objects.values_list(
            "pk", "function", "seen_digest"
        )
    }
    users = apps.get_model("chat", "User").objects
    for user in users.filter(preferences__allowed_tools__icontains=SEPARATOR).iterator():
        names = str(user.preferences["allowed_tools"]).split()
        user.preferences["allowed_tools"] = " ".join(_tied(names, identities))
        user.save(update_fields=["preferences"])
    chats = apps.get_model("chat", "Conversation").objects
    for chat in chats.filter(generation_settings__allowed_tools__0__isnull=False).iterator():
        names = list(chat.generation_settings["allowed_tools"])
        chat.generation_settings["allowed_tools"] = _tied(names, identities)
        chat.save(update_fields=["generation_settings"])
    waiting = apps.get_model("chat", "StoredToolCall").objects.filter(
        state__in=["proposed", "approved", "running"]
    )
    for function, identity in identities.items():
        waiting.filter(tool=function).update(identity=identity)


def _tied(names: list[str], identities: Mapping[str, str]) -> list[Any]:
    known = {identities.get(each, "" if SEPARATOR in each else each) for each in names}
    return sorted(known - {""})


class Migration(migrations.Migration):
    dependencies = [("chat", "0016_mcp_servers")]

    operations = [
        migrations.AddField(
            model_name="storedtoolcall",
            name="identity",
            field=models.CharField(blank=True, db_default="", default="", max_length=60),
        ),
        migrations.AddField(
            model_name="storedtoolcall",
            name="images",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name="McpSignIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("grant", models.TextField(blank=True, db_default="", default="")),
                ("pending", models.TextField(blank=True, db_default="", default="")),
                ("renewed_until", models.DateTimeField(blank=True, null=True)),
                ("signed_in_at", models.DateTimeField(blank=True, null=True)),
                (
                    "server",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_in",
                        to="chat.mcpserver",
                    ),
                ),
            ],
        ),
        migrations.RunPython(tie_permissions, migrations.RunPython.noop),
    ]
