"""Store how long the conversations of a group's members are kept."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("chat", "0023_usage_by_persona"),
    ]

    operations = [
        migrations.CreateModel(
            "GroupRetention",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("days", models.PositiveIntegerField()),
                (
                    "group",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="retention",
                        to="auth.group",
                    ),
                ),
            ],
        ),
    ]
