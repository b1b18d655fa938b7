from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0014_notes_of_teams"),
    ]

    operations = [
        migrations.AddField(
            model_name="rule",
            name="holds_chats",
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
