"""Let rules that hide messages check answers while they are written."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0032_evaluation_datasets")]

    operations = [
        migrations.AddField(
            "rule", "while_writing", models.BooleanField(db_default=False, default=False)
        ),
    ]
