import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("chat", "0018_review"),
    ]

    operations = [
        migrations.AddField(
            model_name="reviewscope",
            name="site",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reviewed_by",
                to="chat.widgetsite",
                verbose_name="or visitors of (leave both empty for everyone)",
            ),
        ),
        migrations.AlterField(
            model_name="reviewscope",
            name="members",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reviewed_by",
                to="auth.group",
                verbose_name="reviews members of",
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
    ]
