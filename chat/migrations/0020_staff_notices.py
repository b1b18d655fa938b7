import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0019_program_chats"),
    ]

    operations = [
        migrations.CreateModel(
            name="NoticeChoices",
            fields=[
                (
                    "person",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="notice_choices",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("is_on_duty", models.BooleanField(default=False)),
                ("by_mail", models.BooleanField(default=True)),
                ("webhook_url", models.CharField(blank=True, max_length=200)),
                ("webhook_secret", models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="StaffNotice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_index=True, default=django.utils.timezone.now),
                ),
                (
                    "due_at",
                    models.DateTimeField(
                        db_index=True, default=django.utils.timezone.now, null=True
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("assigned", "A case was assigned to you."),
                            ("mentioned", "A note mentions you."),
                            ("severe", "A case has high severity."),
                        ],
                        max_length=9,
                    ),
                ),
                ("conversation", models.UUIDField()),
                ("is_read", models.BooleanField(default=False)),
                ("mailed", models.BooleanField(default=False)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="staff_notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["person", "-id"], name="staff_notices_newest_first")
                ],
            },
        ),
    ]
