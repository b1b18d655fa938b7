"""Store daily figures. Rows hold IDs, not foreign keys, and so outlive chats and accounts."""

from django.db import models

from chat.review.analytics.histogram import FIRST_TOKEN, SPEED

NOBODY = 0  # unknown owner: a deleted account, or a visitor in a temporary chat


class RolledUpDay(models.Model):
    """A day (UTC) that was counted; a closed day does not change any more."""

    day = models.DateField(unique=True)
    counted_at = models.DateTimeField(null=True)
    is_closed = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.day}"


class DailyUsage(models.Model):
    """Usage of one model by one person on one day, with one persona or without any.

    Chats started are counted in any one row of that person and day.
    """

    day = models.DateField()
    owner = models.BigIntegerField()
    site = models.CharField(max_length=64, blank=True)
    model = models.CharField(max_length=200, blank=True)
    # None also for days that were counted before there was this column.
    persona = models.UUIDField(null=True)
    chats = models.PositiveIntegerField(default=0)
    messages = models.PositiveIntegerField(default=0)
    tokens = models.BigIntegerField(default=0)
    millineurons = models.BigIntegerField(default=0)
    microdollars = models.BigIntegerField(default=0)
    # Finished answers; so are all counts that follow.
    answers = models.PositiveIntegerField(default=0)
    stopped = models.PositiveIntegerField(default=0)
    interrupted = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    good = models.PositiveIntegerField(default=0)
    bad = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["day", "owner"], name="daily_usage_by_owner")]

    def __str__(self) -> str:
        return f"tally of {self.day}"


class DailyErrors(models.Model):
    """How often an answer ended with this error, per person, model and day."""

    day = models.DateField()
    owner = models.BigIntegerField()
    site = models.CharField(max_length=64, blank=True)
    model = models.CharField(max_length=200, blank=True)
    code = models.CharField(max_length=40)
    count = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["day", "owner"], name="daily_errors_by_owner")]

    def __str__(self) -> str:
        return f"{self.code} on {self.day}"


class DailyLanguages(models.Model):
    """How many questions a person wrote in this language on that day."""

    day = models.DateField()
    owner = models.BigIntegerField()
    site = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=3, blank=True)  # empty: it couldn't be told
    count = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["day", "owner"], name="daily_languages_by_owner")]

    def __str__(self) -> str:
        return f"{self.language} on {self.day}"


class DailyTopics(models.Model):
    """Answers to a person's questions about a topic on that day that a judge has read."""

    day = models.DateField()
    owner = models.BigIntegerField()
    site = models.CharField(max_length=64, blank=True)
    topic = models.CharField(max_length=40, blank=True)  # its name; empty: none was likely
    judged = models.PositiveIntegerField(default=0)
    unanswered = models.PositiveIntegerField(default=0)  # likely, of these; so is the next one
    ungrounded = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["day", "owner"], name="daily_topics_by_owner")]

    def __str__(self) -> str:
        return f"{self.topic} on {self.day}"


# Columns instead of a table of buckets: sums then read one row per person and day.
for _column in (*FIRST_TOKEN.columns, *SPEED.columns):
    DailyUsage.add_to_class(_column, models.PositiveIntegerField(default=0))
