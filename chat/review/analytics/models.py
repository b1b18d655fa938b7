"""What each day came to. Rows hold numbers, not links: they outlive chats and accounts."""

from django.db import models

from chat.review.analytics.histogram import FIRST_TOKEN, SPEED

NOBODY = 0  # it is not known whose: an account that is gone, a visitor of a temporary chat


class RolledUpDay(models.Model):
    """A day (UTC) that was counted; once it is closed it stays as it is."""

    day = models.DateField(unique=True)
    counted_at = models.DateTimeField(null=True)
    is_closed = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.day}"


class DailyUsage(models.Model):
    """Of one day: what one person's messages to one model came to.

    Chats begun are counted in any one row of that person's day.
    """

    day = models.DateField()
    owner = models.BigIntegerField()
    site = models.CharField(max_length=64, blank=True)
    model = models.CharField(max_length=200, blank=True)
    chats = models.PositiveIntegerField(default=0)
    messages = models.PositiveIntegerField(default=0)
    tokens = models.BigIntegerField(default=0)
    millineurons = models.BigIntegerField(default=0)
    microdollars = models.BigIntegerField(default=0)
    answers = models.PositiveIntegerField(default=0)  # that ended; so did all that follow
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
    """The same: how often an answer ended with this error."""

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


# Columns, not rows of their own: summing them takes one pass over one row for each person and day.
for _column in (*FIRST_TOKEN.columns, *SPEED.columns):
    DailyUsage.add_to_class(_column, models.PositiveIntegerField(default=0))
