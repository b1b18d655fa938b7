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
                    ("listed", "title in a list"),
                    ("found", "snippet in search results"),
                    ("read", "read"),
                    ("watched", "watched live"),
                    ("exported", "exported"),
                    ("searched", "searched without results"),
                    ("refused", "access denied"),
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
