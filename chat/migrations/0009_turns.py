from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0008_cache"),
    ]

    operations = [
        migrations.AddField(
            model_name="message",
            name="deleted_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("deleted_at__isnull", False)),
                fields=["deleted_at"],
                name="deleted_messages",
            ),
        ),
    ]
