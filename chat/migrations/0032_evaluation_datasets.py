"""Store datasets of questions and the runs that answer them, and give a right to their pages."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

PREVIOUS_VERSION_RUNS = "It doesn't know the new permission, and nobody has it yet."

NAME = "Evaluators"
RIGHT = ("evaluate_models", "Tests models and prompts on datasets of questions")
PERMISSIONS = [
    ("review", "Reviews what is said, within their scopes"),
    ("lead_review", "Leads reviewers: sees what they read, shares views"),
    ("administer_review", "Reviews everybody, and sees who people are"),
    ("view_figures", "Sees analytics, without people"),
    ("view_audit_log", "Sees who read and did what"),
    ("protect_data", "Answers people's requests for their data"),
    RIGHT,
]


def make_group(apps, schema_editor):
    """Create the group. One that has the name already gets no permission: it has members."""
    kinds = apps.get_model("contenttypes", "ContentType").objects
    kind, _ = kinds.get_or_create(app_label="chat", model="reviewscope")
    codename, words = RIGHT
    permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=kind, codename=codename, defaults={"name": words}
    )
    groups = apps.get_model("auth", "Group").objects
    if not groups.filter(name__iexact=NAME).exists():
        groups.create(name=NAME).permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("chat", "0031_audit_export"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="reviewscope",
            options={
                "permissions": PERMISSIONS,
                "verbose_name": "reviewer scope",
                "verbose_name_plural": "reviewer scopes",
            },
        ),
        migrations.AlterField(
            model_name="limit",
            name="scope",
            field=models.CharField(
                choices=[
                    ("everyone", "everyone combined"),
                    ("group", "members of a group combined"),
                    ("member", "each member"),
                    ("site", "each website"),
                    ("visitors", "visitors of all websites combined"),
                    ("visitor", "each visitor of a website"),
                    ("site_address", "visitors of a website with the same IP address"),
                    ("address", "each IP address"),
                    ("evaluation", "runs that evaluate models"),
                ],
                max_length=12,
                verbose_name="applies to",
            ),
        ),
        migrations.CreateModel(
            name="EvaluationDataset",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("copied_turns", models.PositiveIntegerField(default=0)),
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
            name="DatasetItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("messages", models.JSONField()),
                ("answer", models.TextField(blank=True)),
                ("expected", models.TextField(blank=True)),
                ("answered_by", models.CharField(blank=True, max_length=200)),
                ("added_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "conversation",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="chat.conversation",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="chat.message",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="chat.evaluationdataset",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="EvaluationRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("is_of_stored_answers", models.BooleanField(default=False)),
                ("model", models.CharField(blank=True, max_length=200)),
                ("system_prompt", models.TextField(null=True)),
                ("parameters", models.JSONField(default=dict)),
                ("max_tokens", models.PositiveIntegerField()),
                ("is_judged", models.BooleanField(default=False)),
                ("estimated_microdollars", models.BigIntegerField(default=0)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "running"),
                            ("done", "done"),
                            ("cancelled", "cancelled"),
                            ("stopped", "stopped"),
                        ],
                        default="running",
                        max_length=9,
                    ),
                ),
                ("problem", models.CharField(blank=True, max_length=40)),
                ("starts", models.PositiveSmallIntegerField(default=1)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "collection",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="chat.collection",
                    ),
                ),
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
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="runs",
                        to="chat.evaluationdataset",
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
            },
        ),
        migrations.CreateModel(
            name="BlindVote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "choice",
                    models.CharField(
                        choices=[
                            ("first", "First"),
                            ("second", "Second"),
                            ("tie", "Tie"),
                            ("both_bad", "Both Bad"),
                        ],
                        max_length=8,
                    ),
                ),
                ("voted_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="chat.datasetitem",
                    ),
                ),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="chat.evaluationrun",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="chat.evaluationrun",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RunAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("problem", models.CharField(blank=True, max_length=40)),
                ("probabilities", models.JSONField(null=True)),
                ("judge_problem", models.CharField(blank=True, max_length=40)),
                ("microdollars", models.BigIntegerField(default=0)),
                ("judge_microdollars", models.BigIntegerField(default=0)),
                ("milliseconds", models.PositiveIntegerField(null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="chat.datasetitem",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="chat.evaluationrun",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="datasetitem",
            constraint=models.UniqueConstraint(
                condition=models.Q(("message__isnull", False)),
                fields=("dataset", "message"),
                name="one_copy_of_a_turn_in_a_dataset",
            ),
        ),
        migrations.AddConstraint(
            model_name="blindvote",
            constraint=models.UniqueConstraint(
                fields=("first", "second", "item", "rater"), name="one_blind_vote_per_rater"
            ),
        ),
        migrations.AddConstraint(
            model_name="runanswer",
            constraint=models.UniqueConstraint(
                fields=("run", "item"), name="one_answer_per_item_of_a_run"
            ),
        ),
        migrations.RunPython(make_group, migrations.RunPython.noop),
    ]
