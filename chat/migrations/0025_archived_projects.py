from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0024_site_settings"),
    ]

    operations = [
        migrations.AddField(
            model_name="project",
            name="is_archived",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
