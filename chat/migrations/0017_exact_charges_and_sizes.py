"""Tell what answers have used from what they reserve."""

from django.db import migrations, models


def used(unit):
    field = models.BigIntegerField(db_default=0, default=0)
    return migrations.AddField(model_name="charge", name=f"used_{unit}", field=field)


class Migration(migrations.Migration):
    dependencies = [("chat", "0016_mcp_servers")]

    operations = [
        used("tokens"),
        used("millineurons"),
        used("microdollars"),
    ]
