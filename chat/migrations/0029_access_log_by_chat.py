from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0028_team_invitation_accounts"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="accesslogentry",
            index=models.Index(
                fields=["conversation", "reader", "kind", "at"], name="access_log_by_chat"
            ),
        ),
    ]
