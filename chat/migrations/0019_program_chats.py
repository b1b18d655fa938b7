import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0018_providers"),
    ]

    operations = [
        migrations.CreateModel(
            name="ProgramHistory",
            fields=[
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="chat.message",
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
            ],
        ),
        migrations.AddField(
            model_name="apikey",
            name="keeps_chats",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="conversation",
            name="api_key",
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(
                condition=models.Q(("api_key__isnull", False)),
                fields=["api_key"],
                name="conversations_of_api_keys",
            ),
        ),
        migrations.AddIndex(
            model_name="programhistory",
            index=models.Index(fields=["digest"], name="program_histories"),
        ),
    ]
