from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0029_access_log_by_chat"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="user",
            options={"verbose_name": "user", "verbose_name_plural": "users"},
        ),
        migrations.AlterModelOptions(
            name="widgetsite",
            options={"verbose_name": "website", "verbose_name_plural": "websites"},
        ),
    ]
