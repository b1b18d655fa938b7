"""Say “resolve” of cases, as the pages do. The columns keep their names for the previous version."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

PREVIOUS_VERSION_RUNS = "Only the fields are renamed; `db_column` keeps the columns' names."


class Migration(migrations.Migration):
    dependencies = [("chat", "0021_canned_replies")]

    operations = [
        migrations.AlterField(
            "case", "settled_at", models.DateTimeField(db_column="settled_at", null=True)
        ),
        migrations.AlterField(
            "case",
            "settled_by",
            models.ForeignKey(
                db_column="settled_by_id",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RenameField("case", "settled_at", "resolved_at"),
        migrations.RenameField("case", "settled_by", "resolved_by"),
        migrations.AlterField(
            "case",
            "state",
            models.SmallIntegerField(
                choices=[(1, "Open"), (2, "In Work"), (3, "Resolved")], default=1
            ),
        ),
    ]
