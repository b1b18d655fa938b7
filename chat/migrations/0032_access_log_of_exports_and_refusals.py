from django.db import migrations, models


class Migration(migrations.Migration):
    """Rows of the access log without a chat. Digests of rows that are there stay the same."""

    dependencies = [
        ("chat", "0031_thinking_and_room"),
    ]

    operations = [
        migrations.AddField(
            model_name="accesslogentry",
            name="detail",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AlterField(
            model_name="accesslogentry",
            name="conversation",
            field=models.UUIDField(null=True),
        ),
        migrations.AlterField(
            model_name="accesslogentry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("listed", "its title, in a list"),
                    ("found", "a few words, in search results"),
                    ("read", "read"),
                    ("watched", "watched while it was written"),
                    ("exported", "exported"),
                    ("searched", "searched, and found nothing"),
                    ("refused", "asked for it, and was refused"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="accesslogentry",
            name="owner",
            field=models.BigIntegerField(null=True),
        ),
    ]
