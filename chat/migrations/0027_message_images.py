import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0026_team_invitations"),
    ]

    operations = [
        migrations.CreateModel(
            name="StoredImage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=32)),
                ("kind", models.CharField(max_length=4)),
                ("width", models.PositiveIntegerField()),
                ("height", models.PositiveIntegerField()),
                ("size_bytes", models.PositiveIntegerField()),
                (
                    "unsent_since",
                    models.DateTimeField(default=django.utils.timezone.now, null=True),
                ),
                ("content", models.BinaryField()),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="images",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("unsent_since__isnull", False)),
                        fields=["unsent_since"],
                        name="unsent_images",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "digest"), name="one_image_per_digest")
                ],
            },
        ),
        migrations.CreateModel(
            name="MessageImage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "image",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="uses",
                        to="chat.storedimage",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="message_images",
                        to="chat.message",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("message", "image"), name="one_use_per_message")
                ],
            },
        ),
        migrations.AddField(
            model_name="sharedlink",
            name="images",
            field=models.ManyToManyField(
                blank=True, related_name="shared_links", to="chat.storedimage"
            ),
        ),
    ]
