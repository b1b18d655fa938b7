"""Insert the rows that a new database starts with: limits, and groups for staff."""

from django.conf import settings
from django.db import migrations

#: Each group of staff and its permission, which includes those of the groups before it.
ROLES = {
    "Reviewers": "review",
    "Lead reviewers": "lead_review",
    "Administrators": "administer_review",
}


def make_limits(apps, schema_editor):
    """Create the initial limits, so that nobody runs up a bill before the operator sets their own."""
    limits = apps.get_model("chat", "Limit").objects
    for scope, measure, amount in settings.INITIAL_LIMITS:
        limits.create(scope=scope, measure=measure, amount=amount)


def remove_limits(apps, schema_editor):
    """Remove the initial limits that were not changed."""
    limits = apps.get_model("chat", "Limit").objects
    for scope, measure, amount in settings.INITIAL_LIMITS:
        limits.filter(
            scope=scope,
            measure=measure,
            amount=amount,
            site="",
            user=None,
            group=None,
            by_owner=False,
            by_review=False,
        ).delete()


def make_groups(apps, schema_editor):
    """Create the groups with their permissions, which Django creates only after all migrations."""
    kinds = apps.get_model("contenttypes", "ContentType").objects
    kind, _ = kinds.get_or_create(app_label="chat", model="reviewscope")
    declared = dict(apps.get_model("chat", "ReviewScope")._meta.permissions)
    for name, codename in ROLES.items():
        permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
            content_type=kind, codename=codename, defaults={"name": declared[codename]}
        )
        group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=name)
        group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("chat", "0002_triggers_and_indexes"),
    ]

    operations = [
        migrations.RunPython(make_limits, remove_limits),
        migrations.RunPython(make_groups, migrations.RunPython.noop),
    ]
