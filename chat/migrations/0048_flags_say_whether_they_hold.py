"""Store with each flag whether it keeps its chat, as the rule that made it may be deleted."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

PREVIOUS_VERSION_RUNS = """It asks the rule and doesn't read this column. What it flags gets the
default, so this version asks the rule as well."""


def fill(apps: Apps, _editor: BaseDatabaseSchemaEditor | None) -> None:
    flags = apps.get_model("chat", "Flag").objects
    flags.filter(rule__holds_chats=False).update(holds_chat=False)


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0047_messages_by_email"),
    ]

    operations = [
        migrations.AddField(
            model_name="flag",
            name="holds_chat",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
