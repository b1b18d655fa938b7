"""Remind staff of requests for personal data, and mail costs to those who choose it."""

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
]


class Migration(migrations.Migration):
    dependencies = [("chat", "0028_service_keys")]

    operations = [
        migrations.AddField("datarequest", "reminded_at", models.DateTimeField(null=True)),
        migrations.AddField("datarequest", "overdue_told_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "noticechoices",
            "costs_by_mail",
            models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField("noticechoices", "costs_mailed_in", models.DateField(null=True)),
        migrations.AddField("staffnotice", "due_on", models.DateField(null=True)),
        migrations.AlterField("staffnotice", "kind", models.CharField(choices=KINDS, max_length=9)),
    ]
