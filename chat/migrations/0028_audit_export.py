"""Store how far the audit log was sent to another place."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0027_case_webhook")]

    operations = [
        migrations.CreateModel(
            "AuditExport",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("access", models.BigIntegerField(default=0)),
                ("actions", models.BigIntegerField(default=0)),
                ("seals", models.BigIntegerField(default=0)),
                ("claimed_until", models.DateTimeField(null=True)),
                ("sent_at", models.DateTimeField(null=True)),
                ("failing_since", models.DateTimeField(null=True)),
                ("error", models.CharField(blank=True, max_length=100)),
            ],
        ),
    ]
