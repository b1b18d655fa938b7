"""Store which conversations will be deleted, and since when their owners can read that."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0024_group_retention")]

    operations = [
        migrations.CreateModel(
            "ExpiryNotice",
            [
                (
                    "conversation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="expiry_notice",
                        serialize=False,
                        to="chat.conversation",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="expiry_notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("announced_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
    ]
