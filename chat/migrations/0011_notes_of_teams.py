from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0010_retried_visitor_emails"),
    ]

    operations = [
        migrations.AddField(
            model_name="staffnote",
            name="is_of_team",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
