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
                            ("everyone", "everyone together"),
                            ("group", "the members of a group together"),
                            ("member", "each member"),
                            ("site", "each widget site"),
                            ("visitors", "the visitors of all widget sites together"),
                            ("visitor", "each visitor of a widget site"),
                            (
                                "site_address",
                                "the visitors of a widget site at one network address",
                            ),
                            ("address", "each network address"),
                        ],
                        max_length=12,
                        verbose_name="counted for",
                    ),
                )
            ]
        )
    ]
