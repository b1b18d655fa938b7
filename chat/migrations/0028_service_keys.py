"""Let API keys have scopes of the staff's pages, for programs that read them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0027_staff_ratings")]

    operations = [
        migrations.AddField(
            "apikey",
            "scopes",
            models.CharField(blank=True, db_default="", default="", max_length=60),
        ),
        migrations.AddField(
            "apikey", "group_ids", models.TextField(blank=True, db_default="", default="")
        ),
        migrations.AddField(
            "apikey", "site_ids", models.TextField(blank=True, db_default="", default="")
        ),
    ]
