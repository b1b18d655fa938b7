"""Store requests of people for their data, and give rights to staff who read no chats."""

import django.utils.timezone
from django.db import migrations, models

PREVIOUS_VERSION_RUNS = "It doesn't know the new permissions, and nobody has them yet."

#: Groups of staff who read no chats, with their permission.
GROUPS = {
    "Figures": ("view_figures", "Sees analytics, without people"),
    "Auditors": ("view_audit_log", "Sees who read and did what"),
    "Data protection": ("protect_data", "Answers people's requests for their data"),
}
PERMISSIONS = [
    ("review", "Reviews what is said, within their scopes"),
    ("lead_review", "Leads reviewers: sees what they read, shares views"),
    ("administer_review", "Reviews everybody, and sees who people are"),
    *GROUPS.values(),
]


def make_groups(apps, schema_editor):
    """Create the groups. One that has the name already gets no permission: it has members."""
    kinds = apps.get_model("contenttypes", "ContentType").objects
    kind, _ = kinds.get_or_create(app_label="chat", model="reviewscope")
    groups = apps.get_model("auth", "Group").objects
    for name, (codename, words) in GROUPS.items():
        permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
            content_type=kind, codename=codename, defaults={"name": words}
        )
        if not groups.filter(name__iexact=name).exists():
            groups.create(name=name).permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("chat", "0020_verdicts"),
    ]

    operations = [
        migrations.CreateModel(
            "DataRequest",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("person", models.BigIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("copy", "Copy of the data"), ("erasure", "Erasure")], max_length=7
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Not answered yet"),
                            ("erasing", "Being erased"),
                            ("done", "Done"),
                            ("declined", "Declined"),
                        ],
                        default="open",
                        max_length=8,
                    ),
                ),
                ("received_on", models.DateField()),
                ("due_on", models.DateField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("erased_at", models.DateTimeField(null=True)),
                ("counts", models.JSONField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("ended_by", models.BigIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=200)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["state", "due_on"], name="data_requests_by_due_day"),
                    models.Index(fields=["person", "-id"], name="data_requests_by_person"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ("open", "erasing"))),
                        fields=("person", "kind"),
                        name="one_open_data_request_of_a_kind",
                    )
                ],
            },
        ),
        migrations.AlterModelOptions(
            "reviewscope",
            {
                "permissions": PERMISSIONS,
                "verbose_name": "reviewer scope",
                "verbose_name_plural": "reviewer scopes",
            },
        ),
        migrations.RunPython(make_groups, migrations.RunPython.noop),
    ]
