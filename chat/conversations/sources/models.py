"""Which passages of documents the model was given for an answer."""

from django.db import models

from chat.conversations.models import Message


class MessageSources(models.Model):
    """The numbered passages that an answer may cite, whether or not it does.

    They have no text: whoever opens one must be allowed to read its document. An empty list says
    that nothing was found in the documents.
    """

    message = models.OneToOneField(
        Message, on_delete=models.CASCADE, primary_key=True, related_name="sources"
    )
    passages = models.JSONField(default=list)  # those of sources.py

    def __str__(self) -> str:
        return f"sources of message {self.message_id}"
