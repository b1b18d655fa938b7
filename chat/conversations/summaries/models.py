"""Summaries of the beginning of a branch."""

from django.db import models
from django.utils import timezone

from chat.conversations.models import Conversation, Message


class ChatSummary(models.Model):
    """What a model wrote about a branch's messages up to `last_message`, included.

    It is empty while it is being written. Whoever removes the text of one of these messages removes
    the summary too (summaries.py).
    """

    last_message = models.OneToOneField(
        Message, on_delete=models.CASCADE, primary_key=True, related_name="summary"
    )
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="summaries"
    )
    text = models.TextField(blank=True)
    covered_messages = models.PositiveIntegerField()
    started_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"summary up to message {self.last_message_id}"
