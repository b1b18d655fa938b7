from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0025_taking_over"),
    ]

    operations = [
        migrations.AlterField(
            model_name="savedsearch",
            name="query",
            field=models.CharField(blank=True, max_length=10000),
        ),
    ]
