"""Make room for the limits of single models beside those of providers."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0003_defaults"),
    ]

    operations = [
        migrations.AlterField(
            model_name="upstreampace",
            name="provider",
            field=models.CharField(db_default="", default="", max_length=300, unique=True),
        ),
    ]
