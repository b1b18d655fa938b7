"""Let a website's team label its chats."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0036_handled_chats")]

    operations = [
        migrations.CreateModel(
            "InboxLabel",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=30)),
                (
                    "chats",
                    models.ManyToManyField(related_name="inbox_labels", to="chat.conversation"),
                ),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=models.deletion.CASCADE,
                        related_name="labels",
                        to="chat.widgetsite",
                    ),
                ),
            ],
            options={
                "ordering": ("name", "id"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=["site", "name"], name="one_inbox_label_of_a_name"
                    )
                ],
            },
        ),
    ]
