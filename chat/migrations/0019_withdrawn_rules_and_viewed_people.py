"""Remember how far withdrawing a rule got, and log who viewed the page of a person."""

from django.db import migrations, models

KINDS = [
    ("listed", "title in a list"),
    ("found", "snippet in search results"),
    ("read", "read"),
    ("watched", "watched live"),
    ("exported", "exported"),
    ("searched", "searched without results"),
    ("refused", "access denied"),
    ("viewed", "page of the person or website"),
]


class Migration(migrations.Migration):
    dependencies = [("chat", "0018_exact_charges_and_sizes")]

    operations = [
        migrations.AddField("rule", "withdrawal_before", models.BigIntegerField(null=True)),
        # Choices are not in the schema.
        migrations.AlterField(
            "accesslogentry", "kind", models.CharField(choices=KINDS, max_length=10)
        ),
    ]
