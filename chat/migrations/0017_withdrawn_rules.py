"""Remember how far withdrawing a rule got."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0016_mcp_servers")]

    operations = [
        migrations.AddField("rule", "withdrawal_before", models.BigIntegerField(null=True)),
    ]
