"""Let the owners of websites have questions suggested to their visitors."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0044_charges_of_messages")]

    operations = [
        migrations.AddField(
            "widgetsite",
            "suggests_questions",
            models.BooleanField(db_default=False, default=False),
        ),
    ]
