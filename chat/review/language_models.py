"""The language of each message, if it can be told."""

from collections.abc import Collection

from django.db import models

from chat.conversations.models import Message

CODE_LENGTH = 3


class MessageLanguage(models.Model):
    """That a message is written in one language, in the text it had when it was looked at last."""

    message = models.OneToOneField(
        Message, on_delete=models.CASCADE, primary_key=True, related_name="language"
    )
    language = models.CharField(max_length=CODE_LENGTH)  # of chat/lib/languages.py

    class Meta:
        indexes = [models.Index(fields=["language", "message"], name="messages_by_language")]

    def __str__(self) -> str:
        return f"message {self.message_id} in {self.language}"


def languages_of(ids: Collection[int]) -> dict[int, str]:
    """Return the languages of these messages, without those that have none."""
    rows = MessageLanguage.objects.filter(message__in=ids)
    return dict(rows.values_list("message", "language"))
