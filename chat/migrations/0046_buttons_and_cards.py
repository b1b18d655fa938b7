"""Let the owners of websites have answers with buttons and cards."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0045_suggested_questions_on_websites")]

    operations = [
        migrations.AddField(
            "widgetsite",
            "has_cards",
            models.BooleanField(db_default=False, default=False),
        ),
    ]
