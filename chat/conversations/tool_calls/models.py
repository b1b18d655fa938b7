"""Define a call of a tool."""

import uuid

from django.db import models
from django.utils import timezone

from chat.conversations.models import Message

TOOL_NAME_LENGTH = 100
IDENTITY_LENGTH = 60
REFUSAL_LENGTH = 500


class StoredToolCall(models.Model):
    """A call that a model proposed in an answer. Each change of state is a conditional update.

    So a call runs at most once, whatever process asks for it. One that was running when its process
    died stays as it is: nobody knows whether it had an effect.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed"  # a person has to allow it
        APPROVED = "approved"
        REFUSED = "refused"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="tool_calls")
    # Its place among the calls of the answer, and that of the request to the model it is from.
    place = models.PositiveSmallIntegerField()
    round = models.PositiveSmallIntegerField()
    # Code points of the answer's text that the model had written by then.
    text_length = models.PositiveIntegerField(default=0)
    tool = models.CharField(max_length=TOOL_NAME_LENGTH)
    # Which tool of an MCP server it was: another one may get its name before the call runs.
    identity = models.CharField(max_length=IDENTITY_LENGTH, blank=True, default="", db_default="")
    arguments = models.TextField()  # JSON, as the model wrote it or a person changed it
    is_edited = models.BooleanField(default=False)
    has_effects = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=State.choices)
    result = models.TextField(blank=True)  # what the model reads
    result_count = models.PositiveIntegerField(null=True, blank=True)
    images = models.JSONField(null=True, blank=True)  # the digests of those that it returned
    problem = models.CharField(max_length=20, blank=True)
    # What the provider wants back with the call, such as Gemini's signatures.
    extra_content = models.JSONField(null=True, blank=True)
    # A plain number, as it outlives the account.
    decided_by = models.BigIntegerField(null=True, blank=True)
    refusal = models.CharField(max_length=REFUSAL_LENGTH, blank=True)  # what they said
    proposed_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("place",)
        constraints = [
            models.UniqueConstraint(fields=["message", "place"], name="one_tool_call_per_place")
        ]

    def __str__(self) -> str:
        return f"{self.state} call {self.pk} of {self.tool}"
