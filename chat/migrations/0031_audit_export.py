"""Store how far the audit log was sent to another place."""

from django.db import migrations, models

KINDS = [
    ("assigned", "A case was assigned to you."),
    ("mentioned", "A note mentions you."),
    ("replied", "Somebody replied to a note of yours."),
    ("severe", "A case has high severity."),
    ("unclaimed", "A case of high severity is still unassigned."),
    ("budget", "Much of a spending limit is used."),
    ("failing", "Many answers are failing."),
    ("working", "Answers are working again."),
    ("due", "A request for personal data is due soon."),
    ("overdue", "A request for personal data is overdue."),
    ("unsent", "The audit log doesn't reach its target."),
]


class Migration(migrations.Migration):
    dependencies = [("chat", "0030_case_webhook")]

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
                ("told_at", models.DateTimeField(null=True)),
                ("error", models.CharField(blank=True, max_length=100)),
            ],
        ),
        migrations.AlterField("staffnotice", "kind", models.CharField(choices=KINDS, max_length=9)),
    ]
