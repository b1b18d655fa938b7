import django.db.models.functions.datetime
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0011_person_pictures"),
    ]

    operations = [
        migrations.AddField(
            model_name="visitoremail",
            name="due_at",
            field=models.DateTimeField(
                db_default=django.db.models.functions.datetime.Now(),
                db_index=True,
                default=django.utils.timezone.now,
            ),
        ),
        migrations.AddField(
            model_name="visitoremail",
            name="tries",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
