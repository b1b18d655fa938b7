"""Let links to shared chats be for named people and groups only."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("chat", "0040_runs_from_documents"),
    ]

    operations = [
        migrations.AddField(
            "sharedlink", "is_restricted", models.BooleanField(db_default=False, default=False)
        ),
        migrations.CreateModel(
            "LinkRecipient",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("added_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="received_links",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "group",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="received_links",
                        to="auth.group",
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recipients",
                        to="chat.sharedlink",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["email"], name="link_recipients_by_address")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("email", ""), _negated=True),
                        fields=("link", "email"),
                        name="one_recipient_per_address",
                    ),
                    models.UniqueConstraint(
                        fields=("link", "group"), name="one_recipient_per_group"
                    ),
                ],
            },
        ),
    ]
