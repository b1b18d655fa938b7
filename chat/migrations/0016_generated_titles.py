from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0015_keeping_flagged_chats"),
    ]

    operations = [
        migrations.AddField(
            model_name="conversation",
            name="is_title_generated",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
