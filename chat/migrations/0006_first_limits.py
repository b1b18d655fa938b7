from django.conf import settings
from django.db import migrations


def make_limits(apps, schema_editor):
    """What a new site begins with: nobody runs up a bill before its owner has looked."""
    limit = apps.get_model("chat", "Limit")
    for scope, measure, amount in settings.INITIAL_LIMITS:
        limit.objects.create(scope=scope, measure=measure, amount=amount)


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0005_limits_meters_charges"),
    ]

    operations = [migrations.RunPython(make_limits, migrations.RunPython.noop)]
