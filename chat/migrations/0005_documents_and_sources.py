"""Add collections of documents, and the sources of answers."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("chat", "0004_model_rate_limits"),
    ]

    operations = [
        migrations.CreateModel(
            name="Collection",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("for_everybody", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("description", models.CharField(blank=True, max_length=200)),
                ("version", models.PositiveBigIntegerField(default=0, editable=False)),
                (
                    "groups",
                    models.ManyToManyField(blank=True, related_name="%(class)ss", to="auth.group"),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "personas",
                    models.ManyToManyField(
                        blank=True, related_name="collections", to="chat.persona"
                    ),
                ),
                (
                    "projects",
                    models.ManyToManyField(
                        blank=True, related_name="collections", to="chat.project"
                    ),
                ),
                (
                    "sites",
                    models.ManyToManyField(
                        blank=True, related_name="collections", to="chat.widgetsite"
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="documents",
                        to="chat.collection",
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("indexing", "Indexing"),
                            ("ready", "Ready"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("problem", models.CharField(blank=True, max_length=20)),
                ("size_bytes", models.PositiveBigIntegerField(default=0)),
                ("stored_bytes", models.PositiveBigIntegerField(default=0)),
                ("pages", models.PositiveIntegerField(default=0)),
                ("passage_count", models.PositiveIntegerField(default=0)),
                ("is_cut", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "added_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="documents_added",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="MessageSources",
            fields=[
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="sources",
                        serialize=False,
                        to="chat.message",
                    ),
                ),
                ("passages", models.JSONField(default=list)),
            ],
        ),
        migrations.CreateModel(
            name="DocumentContent",
            fields=[
                (
                    "document",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="content",
                        serialize=False,
                        to="chat.document",
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("file", models.BinaryField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="DocumentIndex",
            fields=[
                (
                    "document",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="index",
                        serialize=False,
                        to="chat.document",
                    ),
                ),
                ("embedding_model", models.CharField(blank=True, max_length=200)),
                ("passages", models.BinaryField()),
                ("words", models.BinaryField()),
                ("vectors", models.BinaryField(blank=True, default=bytes)),
            ],
        ),
        migrations.AddIndex(
            model_name="document",
            index=models.Index(fields=["collection", "name", "id"], name="documents_by_name"),
        ),
    ]
