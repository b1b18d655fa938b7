"""Verdicts: what a judge says of a question or an answer, kept as long as the message."""

from django.db import models
from django.utils import timezone

from chat.conversations.models import Message


class MessageVerdict(models.Model):
    """The probabilities that a judge has told for the text that a message had then.

    It has no text. `harm` is the probability of being harmful in any way, for filters, and `topic`
    is the name of one of the site's topics (chat/site_settings/topics.py) at that time.
    """

    message = models.OneToOneField(
        Message, on_delete=models.CASCADE, primary_key=True, related_name="verdict"
    )
    model = models.CharField(max_length=200)
    probabilities = models.JSONField()
    harm = models.FloatField(db_index=True)
    # The probability that an answer doesn't answer its question; None if that wasn't asked.
    unanswered = models.FloatField(null=True)
    topic = models.CharField(max_length=40, blank=True, default="", db_default="")
    characters = models.IntegerField()  # of the text; a continued answer is judged again
    microdollars = models.BigIntegerField()
    milliseconds = models.IntegerField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["topic", "message"], name="verdicts_by_topic"),
            models.Index(fields=["unanswered"], name="verdicts_by_unanswered"),
        ]

    def __str__(self) -> str:
        return f"verdict on message {self.message_id}"
