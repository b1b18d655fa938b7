"""A limit may be for the visitors of all widget sites together; nothing changes in the table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0034_share_text_unescaped")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "limit",
                    "scope",
                    models.CharField(
                        choices=[
                            ("everyone", "everyone combined"),
                            ("group", "members of a group combined"),
                            ("member", "each member"),
                            ("site", "each widget site"),
                            ("visitors", "visitors of all widget sites combined"),
                            ("visitor", "each visitor of a widget site"),
                            (
                                "site_address",
                                "visitors of a widget site at one IP address",
                            ),
                            ("address", "each IP address"),
                        ],
                        max_length=12,
                        verbose_name="applies to",
                    ),
                )
            ]
        )
    ]
