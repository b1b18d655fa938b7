"""Count the usage of each day by persona, too."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0022_alerts")]

    operations = [
        migrations.AddField("dailyusage", "persona", models.UUIDField(null=True)),
    ]
