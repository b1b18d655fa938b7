"""What was said: a conversation is a tree of messages.

A message's parent is what it follows. Two messages with one parent are branches: an edited
question, or a second answer to the same one. A message never changes its place.
"""

import uuid
from typing import ClassVar

from django.db import models
from django.utils import timezone

from chat.accounts.models import User
from chat.personas.models import Persona

TITLE_LENGTH = 120
COMMENT_LENGTH = 1000
BY_FILE = 0  # as an author: a file that was imported says that a person wrote it


class PresentConversations(models.Manager["Conversation"]):
    """Those that nobody has deleted."""

    def get_queryset(self) -> models.QuerySet["Conversation"]:
        return super().get_queryset().filter(purge_after=None)


class Conversation(models.Model):
    class ListState(models.IntegerChoices):
        """Where its owner keeps it. The list begins with the highest."""

        ARCHIVED = 0
        LISTED = 1
        PINNED = 2

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="conversations")
    title = models.CharField(max_length=TITLE_LENGTH, blank=True)
    list_state = models.SmallIntegerField(choices=ListState.choices, default=ListState.LISTED)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    is_unread = models.BooleanField(default=False)  # an answer ended, and nobody looked since
    persona = models.ForeignKey(
        Persona, on_delete=models.SET_NULL, null=True, blank=True, related_name="conversations"
    )
    generation_settings = models.JSONField(
        default=dict, blank=True
    )  # what the last answer was written by
    # Not null: it is hidden from everybody, and removed then (chat/generations/deletion/purge.py).
    purge_after = models.DateTimeField(null=True, blank=True, editable=False)
    # Not null: the staff needs it. What its owner deletes is removed later (holding.py).
    held_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)  # by the staff: to read
    stored_bytes = models.BigIntegerField(default=0, editable=False)  # kept by size_triggers.py
    import_id = models.UUIDField(null=True, editable=False)  # which import brought it

    objects = PresentConversations()
    all_objects: ClassVar[models.Manager["Conversation"]] = models.Manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["owner", "-list_state", "-updated_at", "-id"],
                name="conversations_in_list_order",
            ),
            models.Index(
                fields=["purge_after"],
                condition=models.Q(purge_after__isnull=False),
                name="conversations_to_purge",
            ),
            models.Index(fields=["owner", "stored_bytes"], name="conversation_sizes"),
        ]

    def __str__(self) -> str:
        return f"conversation {self.pk}"

    @property
    def visible_messages(self) -> "models.QuerySet[Message]":
        """All that was said and not deleted, on every branch."""
        return self.messages.filter(deleted_at=None)


class Message(models.Model):
    """One turn. An answer's text is empty until its generation ends: the log has it until then."""

    class Role(models.TextChoices):
        USER = "user"
        ASSISTANT = "assistant"

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages"
    )
    # Messages go with their conversation, all at once: a cascade would recurse down a long branch.
    parent = models.ForeignKey(
        "self", on_delete=models.DO_NOTHING, null=True, blank=True, related_name="children"
    )
    role = models.CharField(max_length=9, choices=Role.choices)
    text = models.TextField(blank=True)
    reasoning = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    # Set on a deleted turn and all that follows it. Nothing shows these messages; the purge removes
    # them.
    deleted_at = models.DateTimeField(null=True, blank=True)
    # The question whose deletion took it: restoring that one brings it back.
    deleted_with = models.BigIntegerField(null=True, editable=False)
    # The first original of a copy, also of a copy's copy. A number: it outlives that message.
    copied_from = models.BigIntegerField(null=True, editable=False)
    # Not null: the staff has hidden it. Then it has no words: they are elsewhere (hiding.py).
    hidden_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Who of the staff said it, in place of a model. A number: the mark outlives the account.
    author = models.BigIntegerField(null=True, blank=True, editable=False)
    # It came with a file, which may say what it likes.
    is_imported = models.BooleanField(default=False, editable=False)
    # Of what no model answers; else the generation has it.
    send_key = models.CharField(  # noqa: DJ001
        max_length=64, null=True, blank=True, editable=False
    )

    class Meta:
        ordering = ("id",)
        indexes = [
            models.Index(
                fields=["deleted_at"],
                condition=models.Q(deleted_at__isnull=False),
                name="deleted_messages",
            ),
            models.Index(
                fields=["conversation"],
                condition=models.Q(hidden_at__isnull=False),
                name="hidden_messages",
            ),
            models.Index(
                fields=["copied_from"],
                condition=models.Q(copied_from__isnull=False),
                name="copied_messages",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "send_key"],
                condition=models.Q(send_key__isnull=False),
                name="one_message_per_send",
            )
        ]

    def __str__(self) -> str:
        return f"{self.role} message {self.pk}"

    @property
    def original_id(self) -> int:
        """What all copies of one message have in common, and that message itself."""
        return self.copied_from or self.pk

    @property
    def is_by_person(self) -> bool:
        return self.author is not None


class UnindexedMessage(models.Model):
    """One that is not in the search index yet, or as another's: search/long_messages.py."""

    message = models.OneToOneField(Message, on_delete=models.CASCADE, primary_key=True)

    def __str__(self) -> str:
        return f"message {self.pk}, not in the index"


class Takeover(models.Model):
    """One of the staff answers in a visitor's conversation, in place of a model."""

    class End(models.TextChoices):
        HANDED_BACK = "handed_back"
        LEFT = "left"  # they gave no sign of life

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="takeovers"
    )
    person = models.BigIntegerField()  # a number, as an author is
    started_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.CharField(max_length=11, choices=End.choices, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"],
                condition=models.Q(ended_at__isnull=True),
                name="one_takeover_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"takeover {self.pk} of conversation {self.conversation_id}"


class RedactedText(models.Model):
    """What a hidden message says. Only the staff reads it; `title` is what it had named."""

    message = models.OneToOneField(
        Message, on_delete=models.CASCADE, primary_key=True, related_name="redacted_text"
    )
    text = models.TextField(blank=True)
    reasoning = models.TextField(blank=True)
    title = models.CharField(max_length=TITLE_LENGTH, blank=True)

    def __str__(self) -> str:
        return f"words of message {self.pk}"


class Rating(models.Model):
    """What a person thinks of an answer: one opinion each, which may change."""

    class Value(models.IntegerChoices):
        GOOD = 1
        BAD = -1

    class Reason(models.TextChoices):
        WRONG = "wrong"
        MISUNDERSTOOD = "misunderstood"
        INCOMPLETE = "incomplete"
        TOO_LONG = "too_long"
        HARMFUL = "harmful"
        OTHER = "other"

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="ratings")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="ratings")
    value = models.SmallIntegerField(choices=Value.choices)
    reason = models.CharField(max_length=20, choices=Reason.choices, blank=True)
    comment = models.CharField(max_length=COMMENT_LENGTH, blank=True)
    rated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["message", "user"], name="one_rating_per_person")
        ]

    def __str__(self) -> str:
        return f"{self.get_value_display()} for message {self.message_id}"
