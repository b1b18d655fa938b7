import functools
import secrets
import uuid

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "email",
                    models.EmailField(max_length=254, unique=True, verbose_name="email address"),
                ),
                ("name", models.CharField(blank=True, max_length=100)),
                ("is_staff", models.BooleanField(default=False, verbose_name="staff")),
                ("is_active", models.BooleanField(default=True, verbose_name="active")),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now)),
                ("preferences", models.JSONField(blank=True, default=dict, editable=False)),
                ("closed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("is_visitor", models.BooleanField(default=False, editable=False)),
                ("pending_since", models.DateTimeField(blank=True, editable=False, null=True)),
                ("suspended_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("suspended_until", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
            },
        ),
        migrations.CreateModel(
            name="AuditSeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField(unique=True)),
                ("rows", models.PositiveBigIntegerField()),
                ("digest", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ConfigVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Conversation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("title", models.CharField(blank=True, max_length=120)),
                (
                    "is_title_generated",
                    models.BooleanField(db_default=False, default=False, editable=False),
                ),
                (
                    "list_state",
                    models.SmallIntegerField(
                        choices=[(0, "Archived"), (1, "Listed"), (2, "Pinned")], default=1
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("is_unread", models.BooleanField(default=False)),
                ("generation_settings", models.JSONField(blank=True, default=dict)),
                ("purge_after", models.DateTimeField(blank=True, editable=False, null=True)),
                ("held_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("closed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "person_requested_at",
                    models.DateTimeField(blank=True, editable=False, null=True),
                ),
                ("stored_bytes", models.BigIntegerField(default=0, editable=False)),
                ("revision", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("import_id", models.UUIDField(editable=False, null=True)),
                ("draft_of", models.BigIntegerField(editable=False, null=True)),
                ("api_key", models.BigIntegerField(editable=False, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("group", models.CharField(blank=True, max_length=40)),
                ("recipient", models.CharField(blank=True, max_length=40)),
                ("content", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("due_at", models.DateTimeField(default=django.utils.timezone.now, null=True)),
                ("claimed_until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("is_uncertain", models.BooleanField(default=False)),
                ("last_error", models.CharField(blank=True, max_length=100)),
            ],
            options={
                "indexes": [models.Index(fields=["kind", "due_at"], name="deliveries_due")],
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[("user", "User"), ("assistant", "Assistant")], max_length=9
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("reasoning", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("deleted_with", models.BigIntegerField(editable=False, null=True)),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("hidden_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("author", models.BigIntegerField(blank=True, editable=False, null=True)),
                ("is_imported", models.BooleanField(default=False, editable=False)),
                (
                    "page_context",
                    models.TextField(blank=True, db_default="", default="", editable=False),
                ),
                (
                    "send_key",
                    models.CharField(blank=True, editable=False, max_length=64, null=True),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="Meter",
            fields=[
                ("key", models.CharField(max_length=150, primary_key=True, serialize=False)),
                ("running", models.PositiveIntegerField(default=0)),
                ("reserved_tokens", models.BigIntegerField(default=0)),
                ("reserved_millineurons", models.BigIntegerField(default=0)),
                ("reserved_microdollars", models.BigIntegerField(default=0)),
                ("minute", models.DateTimeField(null=True)),
                ("requests", models.PositiveIntegerField(default=0)),
                ("day", models.DateTimeField(null=True)),
                ("tokens", models.BigIntegerField(default=0)),
                ("millineurons", models.BigIntegerField(default=0)),
                ("month", models.DateTimeField(null=True)),
                ("microdollars", models.BigIntegerField(default=0)),
                ("used_at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="ModelOverlay",
            fields=[
                ("model", models.CharField(max_length=200, primary_key=True, serialize=False)),
                ("from_service", models.JSONField(blank=True, default=dict)),
                ("own", models.JSONField(blank=True, default=dict)),
                ("is_offered", models.BooleanField(null=True)),
                ("position", models.PositiveIntegerField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="PendingRuleCheck",
            fields=[
                ("message", models.BigIntegerField(primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name="RolledUpDay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField(unique=True)),
                ("counted_at", models.DateTimeField(null=True)),
                ("is_closed", models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name="SetupLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="SiteLogo",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=32, unique=True)),
                ("kind", models.CharField(max_length=8)),
                ("content", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="SitePicture",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=32)),
                ("kind", models.CharField(max_length=4)),
                ("content", models.BinaryField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="SiteSetting",
            fields=[
                ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("value", models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name="UpstreamPace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "provider",
                    models.CharField(db_default="", default="", max_length=100, unique=True),
                ),
                ("free_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="UpstreamPause",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "provider",
                    models.CharField(blank=True, db_default="", default="", max_length=100),
                ),
                ("until", models.DateTimeField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "verbose_name": "model provider pause",
                "verbose_name_plural": "model provider pauses",
            },
        ),
        migrations.CreateModel(
            name="Worker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("host", models.CharField(max_length=255)),
                ("pid", models.PositiveIntegerField()),
                ("process_started", models.CharField(max_length=40)),
                ("pid_scope", models.CharField(db_default="", max_length=64)),
                ("heartbeat_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
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
                ("is_on_duty", models.BooleanField(default=None, null=True)),
                ("by_mail", models.BooleanField(default=True)),
                ("webhook_url", models.CharField(blank=True, max_length=200)),
                ("webhook_secret", models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="AccessLogEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("reader", models.BigIntegerField()),
                ("owner", models.BigIntegerField(null=True)),
                ("conversation", models.UUIDField(null=True)),
                ("message", models.BigIntegerField(null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("listed", "title in a list"),
                            ("found", "snippet in search results"),
                            ("read", "read"),
                            ("watched", "watched live"),
                            ("exported", "exported"),
                            ("searched", "searched without results"),
                            ("refused", "access denied"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("detail", models.CharField(blank=True, max_length=200)),
            ],
            options={
                "verbose_name": "access log entry",
                "verbose_name_plural": "access log",
                "indexes": [
                    models.Index(fields=["at"], name="access_log_by_time"),
                    models.Index(fields=["owner", "-id"], name="access_log_by_owner"),
                    models.Index(fields=["reader", "-id"], name="access_log_by_reader"),
                    models.Index(
                        fields=["conversation", "reader", "kind", "at"], name="access_log_by_chat"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AllowedModel",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("model", models.CharField(max_length=200)),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="allowed_models",
                        to="auth.group",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("prefix", models.CharField(max_length=16)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("allowed_models", models.JSONField(blank=True, default=list)),
                (
                    "monthly_usd",
                    models.DecimalField(
                        blank=True,
                        decimal_places=2,
                        max_digits=12,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                    ),
                ),
                ("keeps_chats", models.BooleanField(db_default=False, default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_keys",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
            },
        ),
        migrations.CreateModel(
            name="Charge",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("keys", models.JSONField()),
                ("process", models.PositiveBigIntegerField(null=True)),
                ("model", models.CharField(max_length=200)),
                ("is_temporary", models.BooleanField(default=False)),
                ("prompt_tokens", models.PositiveIntegerField()),
                ("created_at", models.DateTimeField()),
                ("settled_at", models.DateTimeField(null=True)),
                ("tokens", models.BigIntegerField()),
                ("millineurons", models.BigIntegerField()),
                ("microdollars", models.BigIntegerField()),
                (
                    "api_key",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="charges",
                        to="chat.apikey",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="charges",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ChatTag",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("folded_name", models.CharField(editable=False, max_length=120)),
                (
                    "color",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "No color"),
                            ("red", "Red"),
                            ("orange", "Orange"),
                            ("green", "Green"),
                            ("blue", "Blue"),
                            ("purple", "Purple"),
                        ],
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tags",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ConversationStats",
            fields=[
                (
                    "conversation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="stats",
                        serialize=False,
                        to="chat.conversation",
                    ),
                ),
                ("updated_at", models.DateTimeField()),
                ("is_hidden", models.BooleanField(default=False)),
                ("model_names", models.TextField(default=" ")),
                ("states", models.SmallIntegerField(default=0)),
                ("tokens", models.BigIntegerField(default=0)),
                ("cost_usd", models.FloatField(default=0)),
                ("good", models.IntegerField(default=0)),
                ("bad", models.IntegerField(default=0)),
                ("case_state", models.SmallIntegerField(db_default=0, default=0)),
                ("flag_sources", models.SmallIntegerField(db_default=0, default=0)),
            ],
        ),
        migrations.CreateModel(
            name="VisitorEmail",
            fields=[
                (
                    "conversation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="visitor_email",
                        serialize=False,
                        to="chat.conversation",
                    ),
                ),
                ("address", models.EmailField(max_length=254)),
                ("language", models.CharField(max_length=12)),
                ("agreed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("mailed_to", models.BigIntegerField(default=0)),
                (
                    "delivery",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to="chat.delivery",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="conversation",
            name="tags",
            field=models.ManyToManyField(
                blank=True, related_name="conversations", to="chat.chattag"
            ),
        ),
        migrations.CreateModel(
            name="Case",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("erased_at", models.DateTimeField(null=True)),
                ("former_conversation", models.UUIDField(null=True)),
                ("former_owner", models.BigIntegerField(null=True)),
                ("former_site", models.BigIntegerField(null=True)),
                ("former_groups", models.TextField(db_default=" ", default=" ")),
                (
                    "state",
                    models.SmallIntegerField(
                        choices=[(1, "Open"), (2, "In Work"), (3, "Resolved")], default=1
                    ),
                ),
                (
                    "severity",
                    models.SmallIntegerField(
                        choices=[(1, "low"), (2, "medium"), (3, "high")], default=1
                    ),
                ),
                ("opened_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("severe_since", models.DateTimeField(null=True)),
                ("escalations", models.SmallIntegerField(db_default=0, default=0)),
                ("resolved_at", models.DateTimeField(db_column="settled_at", null=True)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("dismissed", "Dismissed"), ("confirmed", "Confirmed")],
                        max_length=9,
                    ),
                ),
                ("resolution_note", models.TextField(blank=True, max_length=1000)),
                (
                    "assignee",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="review_cases",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "resolved_by",
                    models.ForeignKey(
                        db_column="settled_by_id",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="cases",
                        to="chat.conversation",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DailyErrors",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("owner", models.BigIntegerField()),
                ("site", models.CharField(blank=True, max_length=64)),
                ("model", models.CharField(blank=True, max_length=200)),
                ("code", models.CharField(max_length=40)),
                ("count", models.PositiveIntegerField(default=0)),
            ],
            options={
                "indexes": [models.Index(fields=["day", "owner"], name="daily_errors_by_owner")],
            },
        ),
        migrations.CreateModel(
            name="DailyUsage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("owner", models.BigIntegerField()),
                ("site", models.CharField(blank=True, max_length=64)),
                ("model", models.CharField(blank=True, max_length=200)),
                ("chats", models.PositiveIntegerField(default=0)),
                ("messages", models.PositiveIntegerField(default=0)),
                ("tokens", models.BigIntegerField(default=0)),
                ("millineurons", models.BigIntegerField(default=0)),
                ("microdollars", models.BigIntegerField(default=0)),
                ("answers", models.PositiveIntegerField(default=0)),
                ("stopped", models.PositiveIntegerField(default=0)),
                ("interrupted", models.PositiveIntegerField(default=0)),
                ("failed", models.PositiveIntegerField(default=0)),
                ("good", models.PositiveIntegerField(default=0)),
                ("bad", models.PositiveIntegerField(default=0)),
                ("first_token_0", models.PositiveIntegerField(default=0)),
                ("first_token_1", models.PositiveIntegerField(default=0)),
                ("first_token_2", models.PositiveIntegerField(default=0)),
                ("first_token_3", models.PositiveIntegerField(default=0)),
                ("first_token_4", models.PositiveIntegerField(default=0)),
                ("first_token_5", models.PositiveIntegerField(default=0)),
                ("first_token_6", models.PositiveIntegerField(default=0)),
                ("first_token_7", models.PositiveIntegerField(default=0)),
                ("first_token_8", models.PositiveIntegerField(default=0)),
                ("first_token_9", models.PositiveIntegerField(default=0)),
                ("first_token_10", models.PositiveIntegerField(default=0)),
                ("first_token_11", models.PositiveIntegerField(default=0)),
                ("first_token_12", models.PositiveIntegerField(default=0)),
                ("first_token_13", models.PositiveIntegerField(default=0)),
                ("first_token_14", models.PositiveIntegerField(default=0)),
                ("first_token_15", models.PositiveIntegerField(default=0)),
                ("first_token_16", models.PositiveIntegerField(default=0)),
                ("first_token_17", models.PositiveIntegerField(default=0)),
                ("first_token_18", models.PositiveIntegerField(default=0)),
                ("speed_0", models.PositiveIntegerField(default=0)),
                ("speed_1", models.PositiveIntegerField(default=0)),
                ("speed_2", models.PositiveIntegerField(default=0)),
                ("speed_3", models.PositiveIntegerField(default=0)),
                ("speed_4", models.PositiveIntegerField(default=0)),
                ("speed_5", models.PositiveIntegerField(default=0)),
                ("speed_6", models.PositiveIntegerField(default=0)),
                ("speed_7", models.PositiveIntegerField(default=0)),
                ("speed_8", models.PositiveIntegerField(default=0)),
                ("speed_9", models.PositiveIntegerField(default=0)),
                ("speed_10", models.PositiveIntegerField(default=0)),
                ("speed_11", models.PositiveIntegerField(default=0)),
                ("speed_12", models.PositiveIntegerField(default=0)),
                ("speed_13", models.PositiveIntegerField(default=0)),
                ("speed_14", models.PositiveIntegerField(default=0)),
                ("speed_15", models.PositiveIntegerField(default=0)),
                ("speed_16", models.PositiveIntegerField(default=0)),
            ],
            options={
                "indexes": [models.Index(fields=["day", "owner"], name="daily_usage_by_owner")],
            },
        ),
        migrations.CreateModel(
            name="Generation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("complete", "Complete"),
                            ("stopped", "Stopped"),
                            ("interrupted", "Interrupted"),
                            ("failed", "Failed"),
                        ],
                        default="running",
                        max_length=11,
                    ),
                ),
                ("send_key", models.CharField(max_length=64)),
                ("send_digest", models.CharField(max_length=64)),
                ("base_length", models.PositiveIntegerField(default=0)),
                ("model", models.CharField(max_length=200)),
                ("reasoning_effort", models.CharField(blank=True, max_length=10)),
                ("max_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("omitted_messages", models.PositiveIntegerField(default=0)),
                ("stop_requested", models.BooleanField(default=False)),
                (
                    "stop_cause",
                    models.SmallIntegerField(
                        blank=True, choices=[(1, "Staff"), (2, "Takeover")], null=True
                    ),
                ),
                ("last_seen_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("milliseconds", models.PositiveIntegerField(blank=True, null=True)),
                ("first_token_milliseconds", models.PositiveIntegerField(blank=True, null=True)),
                ("length", models.PositiveIntegerField(default=0)),
                ("last_seq", models.PositiveIntegerField(default=0)),
                ("finish_reason", models.CharField(blank=True, max_length=40)),
                ("error_code", models.CharField(blank=True, max_length=40)),
                ("error_message", models.CharField(blank=True, max_length=300)),
                ("error_retryable", models.BooleanField(default=False)),
                ("prompt_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("completion_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("total_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("cached_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("neurons", models.FloatField(blank=True, null=True)),
                ("cost_usd", models.FloatField(blank=True, null=True)),
                ("gateway_log_id", models.CharField(blank=True, max_length=100)),
                ("gateway_cache_status", models.CharField(blank=True, max_length=20)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="generations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(max_length=254, unique=True)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("is_mailed", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                (
                    "group",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to="auth.group",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
            },
        ),
        migrations.CreateModel(
            name="LegalHold",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=60)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ends_at", models.DateTimeField(null=True)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="holds",
                        to="chat.conversation",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Limit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("everyone", "everyone combined"),
                            ("group", "members of a group combined"),
                            ("member", "each member"),
                            ("site", "each website"),
                            ("visitors", "visitors of all websites combined"),
                            ("visitor", "each visitor of a website"),
                            ("site_address", "visitors of a website with the same IP address"),
                            ("address", "each IP address"),
                        ],
                        max_length=12,
                        verbose_name="applies to",
                    ),
                ),
                (
                    "site",
                    models.CharField(blank=True, max_length=64, verbose_name="only this website"),
                ),
                (
                    "by_owner",
                    models.BooleanField(
                        default=False, editable=False, verbose_name="by an administrator"
                    ),
                ),
                (
                    "by_review",
                    models.BooleanField(
                        default=False, editable=False, verbose_name="by a reviewer"
                    ),
                ),
                (
                    "expires_at",
                    models.DateTimeField(
                        blank=True, editable=False, null=True, verbose_name="until"
                    ),
                ),
                (
                    "measure",
                    models.CharField(
                        choices=[
                            ("running", "simultaneous answers"),
                            ("requests", "messages per minute"),
                            ("tokens", "tokens per day"),
                            ("neurons", "neurons per day"),
                            ("dollars", "US dollars per month"),
                        ],
                        max_length=10,
                        verbose_name="metric",
                    ),
                ),
                (
                    "amount",
                    models.DecimalField(
                        decimal_places=2,
                        max_digits=16,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="maximum",
                    ),
                ),
                (
                    "group",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="auth.group",
                        verbose_name="group",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="limits",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="only this member",
                    ),
                ),
            ],
            options={
                "verbose_name": "limit",
                "verbose_name_plural": "limits",
            },
        ),
        migrations.CreateModel(
            name="LogPage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first_seq", models.PositiveIntegerField()),
                ("last_seq", models.PositiveIntegerField()),
                ("frames", models.BinaryField()),
                ("written_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "generation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pages",
                        to="chat.generation",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ProgramHistory",
            fields=[
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="chat.message",
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="RedactedText",
            fields=[
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="redacted_text",
                        serialize=False,
                        to="chat.message",
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("reasoning", models.TextField(blank=True)),
                ("title", models.CharField(blank=True, max_length=120)),
            ],
        ),
        migrations.CreateModel(
            name="UnindexedMessage",
            fields=[
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="chat.message",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="message",
            name="conversation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="messages",
                to="chat.conversation",
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="parent",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="children",
                to="chat.message",
            ),
        ),
        migrations.AddField(
            model_name="generation",
            name="message",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="generations",
                to="chat.message",
            ),
        ),
        migrations.CreateModel(
            name="ModerationWarning",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(max_length=1000)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("read_at", models.DateTimeField(null=True)),
                ("withdrawn_at", models.DateTimeField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="warnings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "warning",
                "ordering": ("-id",),
            },
        ),
        migrations.CreateModel(
            name="Persona",
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
                ("system_prompt", models.TextField(blank=True)),
                ("model", models.CharField(blank=True, max_length=200)),
                ("fallback_model", models.CharField(blank=True, max_length=200)),
                ("max_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("reasoning_effort", models.CharField(blank=True, max_length=10)),
                ("parameters", models.JSONField(blank=True, default=dict)),
                ("cache_seconds", models.PositiveIntegerField(blank=True, null=True)),
                ("starters", models.JSONField(blank=True, default=list)),
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
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="conversation",
            name="persona",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="conversations",
                to="chat.persona",
            ),
        ),
        migrations.CreateModel(
            name="Project",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("instructions", models.TextField(blank=True)),
                ("is_archived", models.BooleanField(db_default=False, default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="projects",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "persona",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="projects",
                        to="chat.persona",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="conversation",
            name="project",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="conversations",
                to="chat.project",
            ),
        ),
        migrations.CreateModel(
            name="Prompt",
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
                ("text", models.TextField()),
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
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("value", models.SmallIntegerField(choices=[(1, "Good"), (-1, "Bad")])),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("wrong", "Wrong"),
                            ("misunderstood", "Misunderstood"),
                            ("incomplete", "Incomplete"),
                            ("too_long", "Too Long"),
                            ("harmful", "Harmful"),
                            ("other", "Other"),
                        ],
                        max_length=20,
                    ),
                ),
                ("comment", models.CharField(blank=True, max_length=1000)),
                ("rated_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="chat.message",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Rule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("words", "it contains any of these words"),
                            ("pattern", "it matches a pattern"),
                            ("answer_cost", "an answer costs more than (US$)"),
                            ("chat_cost", "it costs more than (US$)"),
                            ("length", "a message is longer than (characters)"),
                        ],
                        max_length=11,
                    ),
                ),
                ("text", models.TextField(blank=True, max_length=2000)),
                ("threshold", models.FloatField(blank=True, null=True)),
                (
                    "applies_to",
                    models.CharField(
                        choices=[
                            ("both", "in questions and answers"),
                            ("questions", "in questions"),
                            ("answers", "in answers"),
                        ],
                        default="both",
                        max_length=9,
                    ),
                ),
                (
                    "severity",
                    models.SmallIntegerField(
                        choices=[(1, "low"), (2, "medium"), (3, "high")], default=2
                    ),
                ),
                ("holds_chats", models.BooleanField(db_default=True, default=True)),
                ("is_enabled", models.BooleanField(default=True)),
                ("matches", models.PositiveIntegerField(default=0)),
                ("matched_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("backfill_before", models.BigIntegerField(null=True)),
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
                    "members",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="auth.group",
                    ),
                ),
            ],
            options={
                "ordering": ("name", "id"),
            },
        ),
        migrations.CreateModel(
            name="Flag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "source",
                    models.SmallIntegerField(
                        choices=[(1, "Report"), (2, "Thumb"), (4, "Rule"), (8, "Staff")]
                    ),
                ),
                ("message", models.BigIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=20)),
                ("comment", models.TextField(blank=True, max_length=1000)),
                (
                    "severity",
                    models.SmallIntegerField(
                        choices=[(1, "low"), (2, "medium"), (3, "high")], default=1
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="flags",
                        to="chat.case",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "rule",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="flags",
                        to="chat.rule",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="SavedSearch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("query", models.CharField(blank=True, max_length=10000)),
                ("is_shared", models.BooleanField(default=False)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="review_views",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("name", "id"),
            },
        ),
        migrations.CreateModel(
            name="StaffAction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("actor", models.BigIntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("person", models.BigIntegerField(null=True)),
                ("conversation", models.UUIDField(null=True)),
                ("message", models.BigIntegerField(null=True)),
                ("site", models.BigIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("detail", models.CharField(blank=True, max_length=200)),
            ],
            options={
                "verbose_name": "staff action",
                "verbose_name_plural": "staff actions",
                "indexes": [
                    models.Index(fields=["at"], name="staff_actions_by_time"),
                    models.Index(fields=["person", "-id"], name="staff_actions_by_person"),
                    models.Index(fields=["actor", "-id"], name="staff_actions_by_actor"),
                    models.Index(fields=["conversation"], name="staff_actions_by_conversation"),
                    models.Index(fields=["site", "-id"], name="staff_actions_by_site"),
                ],
            },
        ),
        migrations.CreateModel(
            name="StaffNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(max_length=4000)),
                ("is_of_team", models.BooleanField(db_default=False, default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="staff_notes",
                        to="chat.conversation",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
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
                    "kind",
                    models.CharField(
                        choices=[
                            ("assigned", "A case was assigned to you."),
                            ("mentioned", "A note mentions you."),
                            ("severe", "A case has high severity."),
                            ("unclaimed", "A case of high severity is still unassigned."),
                        ],
                        max_length=9,
                    ),
                ),
                ("conversation", models.UUIDField()),
                ("is_read", models.BooleanField(default=False)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="staff_notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
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
        ),
        migrations.CreateModel(
            name="SharedLink",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("title", models.CharField(blank=True, max_length=120)),
                ("author", models.CharField(blank=True, max_length=100)),
                ("has_reasoning", models.BooleanField(default=False)),
                ("has_models", models.BooleanField(default=False)),
                ("turns", models.JSONField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("opened", models.PositiveIntegerField(default=0)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shared_links",
                        to="chat.conversation",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shared_links",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "images",
                    models.ManyToManyField(
                        blank=True, related_name="shared_links", to="chat.storedimage"
                    ),
                ),
            ],
            options={
                "verbose_name": "shared link",
                "verbose_name_plural": "shared links",
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
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="message_images",
                        to="chat.message",
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
            ],
        ),
        migrations.CreateModel(
            name="Takeover",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("person", models.BigIntegerField()),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_seen_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ended_by",
                    models.CharField(
                        blank=True,
                        choices=[("handed_back", "Handed Back"), ("left", "Left")],
                        max_length=11,
                    ),
                ),
                ("rating", models.SmallIntegerField(blank=True, null=True)),
                ("rating_comment", models.TextField(blank=True, db_default="", default="")),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="takeovers",
                        to="chat.conversation",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="UserSession",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40, primary_key=True, serialize=False, verbose_name="session key"
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("device_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("user_agent", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_seen_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Visitor",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=255)),
                ("name", models.CharField(blank=True, max_length=100)),
                ("agreed_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_seen_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="visitor",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="VisitorToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[("bearer", "Bearer"), ("cookie", "Cookie")],
                        default="bearer",
                        max_length=6,
                    ),
                ),
                ("device", models.UUIDField(db_index=True, default=uuid.uuid4)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField(db_index=True)),
                (
                    "visitor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to="chat.visitor",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WidgetSite",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=functools.partial(secrets.token_hex, *(12,)),
                        editable=False,
                        max_length=32,
                        unique=True,
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("origins", models.JSONField(blank=True, default=list)),
                ("welcome", models.TextField(blank=True)),
                ("starters", models.JSONField(blank=True, default=list)),
                ("consent", models.TextField(blank=True)),
                ("privacy_url", models.URLField(blank=True)),
                ("default_prompt", models.TextField(blank=True)),
                ("retention_days", models.PositiveIntegerField(blank=True, null=True)),
                ("look", models.JSONField(blank=True, editable=False, null=True)),
                ("offers_person", models.BooleanField(db_default=False, default=False)),
                ("person_reply", models.TextField(blank=True, db_default="", default="")),
                ("away_reply", models.TextField(blank=True, db_default="", default="")),
                ("person_phrases", models.JSONField(blank=True, null=True)),
                ("canned_replies", models.JSONField(blank=True, null=True)),
                ("opening_hours", models.JSONField(blank=True, null=True)),
                ("asks_email", models.BooleanField(db_default=False, default=False)),
                ("mails_transcripts", models.BooleanField(db_default=False, default=False)),
                ("notifies_by_mail", models.BooleanField(db_default=True, default=True)),
                ("webhook_url", models.URLField(blank=True, db_default="", default="")),
                (
                    "webhook_secret",
                    models.CharField(
                        blank=True, db_default="", default="", editable=False, max_length=64
                    ),
                ),
                ("is_suspended", models.BooleanField(default=False)),
                ("suspended_until", models.DateTimeField(blank=True, editable=False, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sites",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "persona",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="sites",
                        to="chat.persona",
                    ),
                ),
            ],
            options={
                "verbose_name": "website",
                "verbose_name_plural": "websites",
            },
        ),
        migrations.AddField(
            model_name="visitor",
            name="site",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="visitors",
                to="chat.widgetsite",
            ),
        ),
        migrations.CreateModel(
            name="UsedIdentity",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("jti", models.CharField(max_length=64)),
                ("expires_at", models.DateTimeField(db_index=True)),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="used_identities",
                        to="chat.widgetsite",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TeamProfile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                (
                    "picture",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="profiles",
                        to="chat.sitepicture",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="team_profiles",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="profiles",
                        to="chat.widgetsite",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TeamInvitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(max_length=254)),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("agent", "Agent")], max_length=5
                    ),
                ),
                (
                    "sent_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(),
                        default=django.utils.timezone.now,
                    ),
                ),
                ("declined_at", models.DateTimeField(blank=True, null=True)),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="team_invitations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="chat.widgetsite",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="sitepicture",
            name="site",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="pictures",
                to="chat.widgetsite",
            ),
        ),
        migrations.CreateModel(
            name="SiteNotice",
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
                    "kind",
                    models.CharField(
                        choices=[
                            ("person_requested", "Person Requested"),
                            ("rated_badly", "Rated Badly"),
                            ("waiting", "Waiting"),
                        ],
                        max_length=16,
                    ),
                ),
                ("conversation", models.UUIDField()),
                ("is_mailed", models.BooleanField()),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="chat.widgetsite",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SiteMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("agent", "Agent")],
                        default="agent",
                        max_length=5,
                    ),
                ),
                ("added_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="site_memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="team",
                        to="chat.widgetsite",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="rule",
            name="site",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="chat.widgetsite",
            ),
        ),
        migrations.CreateModel(
            name="ReviewScope",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "members",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reviewed_by",
                        to="auth.group",
                        verbose_name="reviews members of",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="review_scopes",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="staff member",
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="review_scopes",
                        to="auth.group",
                        verbose_name="or staff group",
                    ),
                ),
                (
                    "site",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reviewed_by",
                        to="chat.widgetsite",
                        verbose_name="or visitors of (leave both blank for everyone)",
                    ),
                ),
            ],
            options={
                "verbose_name": "reviewer scope",
                "verbose_name_plural": "reviewer scopes",
                "permissions": [
                    ("review", "Reviews what is said, within their scopes"),
                    ("lead_review", "Leads reviewers: sees what they read, shares views"),
                    ("administer_review", "Reviews everybody, and sees who people are"),
                ],
            },
        ),
        migrations.CreateModel(
            name="IdentityKey",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "algorithm",
                    models.CharField(
                        choices=[("HS256", "Hs256"), ("EdDSA", "Eddsa")], max_length=8
                    ),
                ),
                ("verifier", models.TextField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="identity_keys",
                        to="chat.widgetsite",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="generation",
            name="worker",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                to="chat.worker",
            ),
        ),
        migrations.AddIndex(
            model_name="user",
            index=models.Index(
                condition=models.Q(("closed_at__isnull", False)),
                fields=["closed_at"],
                name="closed_accounts",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("email"),
                name="user_email_is_unique",
                violation_error_message="An account with this email address already exists.",
            ),
        ),
        migrations.AddConstraint(
            model_name="allowedmodel",
            constraint=models.UniqueConstraint(
                fields=("group", "model"), name="one_model_of_a_group"
            ),
        ),
        migrations.AddIndex(
            model_name="charge",
            index=models.Index(
                condition=models.Q(("settled_at", None)), fields=["process"], name="open_charges"
            ),
        ),
        migrations.AddIndex(
            model_name="charge",
            index=models.Index(fields=["created_at"], name="charges_by_time"),
        ),
        migrations.AddConstraint(
            model_name="chattag",
            constraint=models.UniqueConstraint(
                fields=("owner", "folded_name"), name="one_tag_per_name"
            ),
        ),
        migrations.AddField(
            model_name="conversationstats",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(fields=["state", "id"], name="cases_oldest_first"),
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(fields=["state", "-severity", "id"], name="cases_worst_first"),
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(
                condition=models.Q(("former_conversation__isnull", False)),
                fields=["former_conversation"],
                name="cases_of_erased_chats",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__lt", 3)),
                fields=("conversation",),
                name="one_case_at_a_time",
            ),
        ),
        migrations.AddIndex(
            model_name="legalhold",
            index=models.Index(
                condition=models.Q(("ends_at__isnull", False)),
                fields=["ends_at"],
                name="legal_holds_that_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="legalhold",
            constraint=models.UniqueConstraint(
                fields=("conversation", "reason"), name="one_hold_of_a_reason"
            ),
        ),
        migrations.AddConstraint(
            model_name="limit",
            constraint=models.UniqueConstraint(
                models.F("scope"),
                models.F("measure"),
                models.F("site"),
                models.F("by_owner"),
                models.F("by_review"),
                django.db.models.functions.comparison.Coalesce("user", 0),
                django.db.models.functions.comparison.Coalesce("group", 0),
                name="one_limit_of_a_kind",
                violation_error_message="This limit already exists. Edit it instead.",
            ),
        ),
        migrations.AddConstraint(
            model_name="logpage",
            constraint=models.UniqueConstraint(
                fields=("generation", "first_seq"), name="one_log_page_per_seq"
            ),
        ),
        migrations.AddIndex(
            model_name="programhistory",
            index=models.Index(fields=["digest"], name="program_histories"),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("deleted_at__isnull", False)),
                fields=["deleted_at"],
                name="deleted_messages",
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("hidden_at__isnull", False)),
                fields=["conversation"],
                name="hidden_messages",
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("copied_from__isnull", False)),
                fields=["copied_from"],
                name="copied_messages",
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(
                condition=models.Q(("send_key__isnull", False)),
                fields=("conversation", "send_key"),
                name="one_message_per_send",
            ),
        ),
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(
                fields=["owner", "-list_state", "-updated_at", "-id"],
                name="conversations_in_list_order",
            ),
        ),
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(
                condition=models.Q(("project__isnull", False)),
                fields=["project", "-list_state", "-updated_at", "-id"],
                name="conversations_of_projects",
            ),
        ),
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(
                condition=models.Q(("purge_after__isnull", False)),
                fields=["purge_after"],
                name="conversations_to_purge",
            ),
        ),
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(fields=["owner", "stored_bytes"], name="conversation_sizes"),
        ),
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(
                condition=models.Q(("api_key__isnull", False)),
                fields=["api_key"],
                name="conversations_of_api_keys",
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(
                fields=("message", "user"), name="one_rating_per_person"
            ),
        ),
        migrations.AddConstraint(
            model_name="flag",
            constraint=models.UniqueConstraint(
                condition=models.Q(("message__isnull", False), ("rule__isnull", False)),
                fields=("rule", "message"),
                name="one_flag_of_a_rule",
            ),
        ),
        migrations.AddConstraint(
            model_name="flag",
            constraint=models.UniqueConstraint(
                condition=models.Q(("source", 2)),
                fields=("case", "message"),
                name="one_flag_of_a_thumb",
            ),
        ),
        migrations.AddConstraint(
            model_name="savedsearch",
            constraint=models.UniqueConstraint(
                fields=("owner", "name"), name="one_saved_search_of_a_name"
            ),
        ),
        migrations.AddIndex(
            model_name="staffnotice",
            index=models.Index(fields=["person", "-id"], name="staff_notices_newest_first"),
        ),
        migrations.AddIndex(
            model_name="storedimage",
            index=models.Index(
                condition=models.Q(("unsent_since__isnull", False)),
                fields=["unsent_since"],
                name="unsent_images",
            ),
        ),
        migrations.AddConstraint(
            model_name="storedimage",
            constraint=models.UniqueConstraint(
                fields=("owner", "digest"), name="one_image_per_digest"
            ),
        ),
        migrations.AddIndex(
            model_name="sharedlink",
            index=models.Index(fields=["owner", "-created_at"], name="shared_links_newest_first"),
        ),
        migrations.AddConstraint(
            model_name="messageimage",
            constraint=models.UniqueConstraint(
                fields=("message", "image"), name="one_use_per_message"
            ),
        ),
        migrations.AddConstraint(
            model_name="takeover",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)),
                fields=("conversation",),
                name="one_takeover_at_a_time",
            ),
        ),
        migrations.AddIndex(
            model_name="widgetsite",
            index=models.Index(fields=["owner", "name"], name="widget_sites_by_name"),
        ),
        migrations.AddConstraint(
            model_name="visitor",
            constraint=models.UniqueConstraint(
                condition=models.Q(("subject", ""), _negated=True),
                fields=("site", "subject"),
                name="one_visitor_of_a_subject",
            ),
        ),
        migrations.AddConstraint(
            model_name="usedidentity",
            constraint=models.UniqueConstraint(fields=("site", "jti"), name="one_use_of_a_jti"),
        ),
        migrations.AddConstraint(
            model_name="teamprofile",
            constraint=models.UniqueConstraint(
                fields=("site", "user"), name="one_profile_per_site_and_user"
            ),
        ),
        migrations.AddIndex(
            model_name="teaminvitation",
            index=models.Index(fields=["email"], name="invitations_by_address"),
        ),
        migrations.AddConstraint(
            model_name="teaminvitation",
            constraint=models.UniqueConstraint(
                fields=("site", "email"), name="one_invitation_per_address"
            ),
        ),
        migrations.AddConstraint(
            model_name="sitepicture",
            constraint=models.UniqueConstraint(
                fields=("site", "digest"), name="one_row_per_site_picture"
            ),
        ),
        migrations.AddConstraint(
            model_name="sitemember",
            constraint=models.UniqueConstraint(
                fields=("site", "user"), name="one_role_per_site_member"
            ),
        ),
        migrations.AddConstraint(
            model_name="reviewscope",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("reviewer", None), ("team__isnull", False)),
                    models.Q(("reviewer__isnull", False), ("team", None)),
                    _connector="OR",
                ),
                name="scope_of_one_or_of_a_team",
                violation_error_message="Choose a staff member or a staff group.",
            ),
        ),
        migrations.AddConstraint(
            model_name="reviewscope",
            constraint=models.CheckConstraint(
                condition=models.Q(("members", None), ("site", None), _connector="OR"),
                name="scope_of_members_or_of_visitors",
                violation_error_message="Choose either a member group or a website.",
            ),
        ),
        migrations.AddIndex(
            model_name="generation",
            index=models.Index(
                condition=models.Q(("state", "running")),
                fields=["worker"],
                name="running_generations",
            ),
        ),
        migrations.AddIndex(
            model_name="generation",
            index=models.Index(
                condition=models.Q(("state", "running")),
                fields=["owner"],
                name="running_generations_of_owner",
            ),
        ),
        migrations.AddConstraint(
            model_name="generation",
            constraint=models.UniqueConstraint(
                fields=("owner", "send_key"), name="one_generation_per_send"
            ),
        ),
        migrations.AddIndex(
            model_name="conversationstats",
            index=models.Index(fields=["-updated_at", "-conversation"], name="stats_newest_first"),
        ),
        migrations.AddIndex(
            model_name="conversationstats",
            index=models.Index(fields=["owner", "-updated_at"], name="stats_of_owner"),
        ),
    ]
