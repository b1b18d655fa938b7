"""Let owners of websites decide whether visitors may send images and files."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0007_website_sources"),
    ]

    operations = [
        migrations.AddField(
            model_name="widgetsite",
            name="accepts_files",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
