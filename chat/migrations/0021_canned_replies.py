from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0020_staff_notices"),
    ]

    operations = [
        migrations.AddField(
            model_name="widgetsite",
            name="canned_replies",
            field=models.JSONField(blank=True, null=True),
        ),
    ]
