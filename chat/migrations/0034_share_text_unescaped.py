"""Copies that links show are written in their own script from now on; nothing changes in the table."""

from django.db import migrations, models

import chat.lib.json_encoder


class Migration(migrations.Migration):
    dependencies = [("chat", "0033_encrypt_second_factors")]

    operations = [
        migrations.SeparateDatabaseAndState(
            # On SQLite to alter a column makes the table anew, without its triggers.
            state_operations=[
                migrations.AlterField(
                    "sharedlink",
                    "turns",
                    models.JSONField(encoder=chat.lib.json_encoder.UnescapedJSONEncoder),
                )
            ]
        )
    ]
