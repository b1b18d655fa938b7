"""Store the topic that a judge tells of questions, and how many aren't answered."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0034_message_languages")]

    operations = [
        migrations.CreateModel(
            "DailyTopics",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("owner", models.BigIntegerField()),
                ("site", models.CharField(blank=True, max_length=64)),
                ("topic", models.CharField(blank=True, max_length=40)),
                ("judged", models.PositiveIntegerField(default=0)),
                ("unanswered", models.PositiveIntegerField(default=0)),
                ("ungrounded", models.PositiveIntegerField(default=0)),
            ],
            options={
                "indexes": [models.Index(fields=["day", "owner"], name="daily_topics_by_owner")],
            },
        ),
        migrations.AddField(
            "conversationstats", "topics", models.TextField(db_default="\n", default="\n")
        ),
        migrations.AddField("messageverdict", "unanswered", models.FloatField(null=True)),
        migrations.AddField(
            "messageverdict",
            "topic",
            models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
        migrations.AddIndex(
            "messageverdict", models.Index(fields=["topic", "message"], name="verdicts_by_topic")
        ),
        migrations.AddIndex(
            "messageverdict", models.Index(fields=["unanswered"], name="verdicts_by_unanswered")
        ),
    ]
