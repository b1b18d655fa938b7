"""Store rating forms, what staff rate with them, and threads of notes.

On SQLite, the triggers that keep ratings unchanged are created after all migrations, by
chat/review/trigger_setup.py.
"""

from pathlib import Path

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

PREVIOUS_VERSION_RUNS = (
    "It writes to none of the new tables. The triggers, and the key that prevents deletions, are "
    "between two of them."
)
SQL = Path(__file__).parent / "sql"
DROP = """
DROP TRIGGER IF EXISTS chat_staffrating_{event} ON chat_staffrating;
DROP FUNCTION IF EXISTS chat_staffrating_{event};
"""


def make(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        with schema_editor.connection.cursor() as cursor:
            cursor.execute((SQL / "staff_ratings.postgresql.sql").read_text(encoding="utf-8"))


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        with schema_editor.connection.cursor() as cursor:
            for event in ("insert", "update", "delete", "truncate"):
                cursor.execute(DROP.format(event=event))


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0026_personal_data"),
    ]

    operations = [
        migrations.AddField(
            model_name="staffnote",
            name="edited_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="staffnote",
            name="resolved_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="staffnote",
            name="resolved_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="staffnote",
            name="thread",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name="staffnotice",
            name="kind",
            field=models.CharField(
                choices=[
                    ("assigned", "A case was assigned to you."),
                    ("mentioned", "A note mentions you."),
                    ("replied", "Somebody replied to a note of yours."),
                    ("severe", "A case has high severity."),
                    ("unclaimed", "A case of high severity is still unassigned."),
                    ("budget", "Much of a spending limit is used."),
                    ("failing", "Many answers are failing."),
                    ("working", "Answers are working again."),
                ],
                max_length=9,
            ),
        ),
        migrations.CreateModel(
            name="RatingForm",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("members", models.BigIntegerField(null=True)),
                ("site", models.BigIntegerField(null=True)),
                ("model", models.CharField(blank=True, max_length=200)),
                ("is_enabled", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("name", "id"),
            },
        ),
        migrations.CreateModel(
            name="RatingQuestion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                ("text", models.CharField(max_length=200)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("five", "Score from 1 to 5"),
                            ("ten", "Score from 0 to 10"),
                            ("label", "One label of a list"),
                            ("labels", "Any labels of a list"),
                            ("text", "Text"),
                        ],
                        max_length=6,
                    ),
                ),
                ("least_label", models.CharField(blank=True, max_length=60)),
                ("most_label", models.CharField(blank=True, max_length=60)),
                ("labels", models.JSONField(default=list)),
                ("replaces", models.BigIntegerField(null=True)),
                ("retired_at", models.DateTimeField(null=True)),
                (
                    "form",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="questions",
                        to="chat.ratingform",
                    ),
                ),
            ],
            options={
                "ordering": ("position", "id"),
            },
        ),
        migrations.CreateModel(
            name="RatingSample",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "unit",
                    models.CharField(
                        choices=[("answers", "Answers"), ("chats", "Chats")],
                        default="answers",
                        max_length=7,
                    ),
                ),
                (
                    "period",
                    models.CharField(
                        choices=[
                            ("day", "Every day, from the day before"),
                            ("week", "Every Monday, from the week before"),
                        ],
                        default="day",
                        max_length=4,
                    ),
                ),
                ("percent", models.FloatField(null=True)),
                ("count", models.PositiveIntegerField(null=True)),
                ("second_percent", models.FloatField(default=0)),
                ("facets", models.JSONField(default=dict)),
                ("search_name", models.CharField(blank=True, max_length=60)),
                ("is_enabled", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("drawn_through", models.DateField(null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "form",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="samples",
                        to="chat.ratingform",
                    ),
                ),
                (
                    "raters",
                    models.ManyToManyField(
                        blank=True, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="SampleDraw",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first", models.DateField()),
                ("last", models.DateField()),
                ("seed", models.CharField(max_length=32)),
                ("population", models.PositiveIntegerField()),
                ("available", models.PositiveIntegerField()),
                ("picked", models.PositiveIntegerField()),
                ("by", models.BigIntegerField(null=True)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "sample",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draws",
                        to="chat.ratingsample",
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
            },
        ),
        migrations.CreateModel(
            name="StaffRatingText",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rating", models.BigIntegerField(db_index=True)),
                ("question", models.BigIntegerField()),
                ("text", models.TextField(max_length=4000)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="staff_rating_texts",
                        to="chat.conversation",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RatingTask",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("message", models.BigIntegerField(default=0)),
                ("turn", models.PositiveSmallIntegerField(default=1)),
                ("done_at", models.DateTimeField(null=True)),
                (
                    "assignee",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="rating_tasks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rating_tasks",
                        to="chat.conversation",
                    ),
                ),
                (
                    "form",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tasks",
                        to="chat.ratingform",
                    ),
                ),
                (
                    "draw",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tasks",
                        to="chat.sampledraw",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "indexes": [
                    models.Index(
                        condition=models.Q(("done_at", None)),
                        fields=["assignee", "id"],
                        name="rating_tasks_to_do",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("form", "conversation", "message", "turn"),
                        name="one_rating_task_of_each",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="StaffRating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rater", models.BigIntegerField()),
                ("conversation", models.UUIDField()),
                ("message", models.BigIntegerField(null=True)),
                ("answers", models.JSONField()),
                ("is_decision", models.BooleanField(default=False)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("owner", models.BigIntegerField()),
                ("groups", models.TextField(default=" ")),
                ("site", models.BigIntegerField(null=True)),
                ("persona", models.UUIDField(null=True)),
                ("model", models.CharField(blank=True, max_length=200)),
                (
                    "form",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="chat.ratingform",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["form", "at"], name="staff_ratings_by_form"),
                    models.Index(fields=["conversation"], name="staff_ratings_by_chat"),
                    models.Index(fields=["owner"], name="staff_ratings_by_owner"),
                ],
            },
        ),
        migrations.RunPython(make, drop),
    ]
