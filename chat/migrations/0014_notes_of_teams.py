from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0013_api_keys"),
    ]

    operations = [
        migrations.AddField(
            model_name="staffnote",
            name="is_of_team",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
