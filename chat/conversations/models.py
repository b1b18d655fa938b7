"""Conversations as trees of messages.

A message's parent is the message it follows. Messages with the same parent are branches: an edited
question, or a second answer to the same one. A message never moves.
"""

import uuid
from typing import ClassVar

from django.db import models
from django.utils import timezone

from chat.accounts.models import User
from chat.personas.models import Persona
from chat.projects.models import ChatTag, Project

TITLE_LENGTH = 120
COMMENT_LENGTH = 1000
BY_FILE = 0  # author of imported messages that, according to the file, a person wrote


class PresentConversations(models.Manager["Conversation"]):
    """Conversations that are not deleted."""

    def get_queryset(self) -> models.QuerySet["Conversation"]:
        return super().get_queryset().filter(purge_after=None)


class Conversation(models.Model):
    """A chat of one owner: a tree of messages, and its place in the owner's list."""

    class ListState(models.IntegerChoices):
        """The place in its owner's list, which is sorted in descending order."""

        ARCHIVED = 0
        LISTED = 1
        PINNED = 2

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="conversations")
    title = models.CharField(max_length=TITLE_LENGTH, blank=True)
    # A model wrote the title, from the first question and answer.
    is_title_generated = models.BooleanField(default=False, db_default=False, editable=False)
    list_state = models.SmallIntegerField(choices=ListState.choices, default=ListState.LISTED)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    is_unread = models.BooleanField(default=False)  # an answer ended that its owner has not seen
    persona = models.ForeignKey(
        Persona, on_delete=models.SET_NULL, null=True, blank=True, related_name="conversations"
    )
    # Without an index of its own: `conversations_of_projects` has it.
    project = models.ForeignKey(
        Project,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        db_index=False,
        related_name="conversations",
    )
    tags = models.ManyToManyField(ChatTag, blank=True, related_name="conversations")
    generation_settings = models.JSONField(default=dict, blank=True)  # those of the last answer
    # If set, it is hidden from everybody and purged after this time
    # (chat/generations/deletion/purge.py).
    purge_after = models.DateTimeField(null=True, blank=True, editable=False)
    # If set, staff hold it: after a deletion it is purged later (legal_hold.py).
    held_at = models.DateTimeField(null=True, blank=True, editable=False)
    # By staff: no more messages.
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # A visitor has asked for a person, and none has taken over since.
    person_requested_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Kept up to date by sizes/triggers.py.
    stored_bytes = models.BigIntegerField(default=0, editable=False)
    revision = models.PositiveIntegerField(default=0, db_default=0, editable=False)  # access.py
    import_id = models.UUIDField(null=True, editable=False)  # the import that created it
    # The worker that is still making it (drafts.py). A plain number, as workers come and go.
    draft_of = models.BigIntegerField(null=True, editable=False)
    # The API key of the program that created it. A plain number, as it is only a mark.
    api_key = models.BigIntegerField(null=True, editable=False)

    objects = PresentConversations()
    all_objects: ClassVar[models.Manager["Conversation"]] = models.Manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["owner", "-list_state", "-updated_at", "-id"],
                name="conversations_in_list_order",
            ),
            models.Index(
                fields=["project", "-list_state", "-updated_at", "-id"],
                condition=models.Q(project__isnull=False),
                name="conversations_of_projects",
            ),
            models.Index(
                fields=["purge_after"],
                condition=models.Q(purge_after__isnull=False),
                name="conversations_to_purge",
            ),
            models.Index(fields=["owner", "stored_bytes"], name="conversation_sizes"),
            models.Index(
                fields=["api_key"],
                condition=models.Q(api_key__isnull=False),
                name="conversations_of_api_keys",
            ),
        ]

    def __str__(self) -> str:
        return f"conversation {self.pk}"

    @property
    def visible_messages(self) -> "models.QuerySet[Message]":
        """Return the messages on all branches, except deleted ones."""
        return self.messages.filter(deleted_at=None)


class Message(models.Model):
    """A message of a conversation.

    An answer's text stays empty until its generation ends; until then the log has it.
    """

    class Role(models.TextChoices):
        USER = "user"
        ASSISTANT = "assistant"

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages"
    )
    # Messages are deleted with their conversation, all at once: a cascade would recurse down a long
    # branch.
    parent = models.ForeignKey(
        "self", on_delete=models.DO_NOTHING, null=True, blank=True, related_name="children"
    )
    role = models.CharField(max_length=9, choices=Role.choices)
    text = models.TextField(blank=True)
    reasoning = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    # Set on a deleted question and everything below it. Nothing shows these messages, and the purge
    # removes them.
    deleted_at = models.DateTimeField(null=True, blank=True)
    # The question it was deleted with, and is restored with.
    deleted_with = models.BigIntegerField(null=True, editable=False)
    # The first original, even for a copy of a copy. A plain number, as it outlives that message.
    copied_from = models.BigIntegerField(null=True, editable=False)
    # If set, staff have redacted it, and its text is in RedactedText (redaction.py).
    hidden_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The staff member who wrote it in place of a model. A plain number, as it outlives the account.
    author = models.BigIntegerField(null=True, blank=True, editable=False)
    # It was imported from a file or sent by a program, whose content is unverified.
    is_imported = models.BooleanField(default=False, editable=False)
    # What the website said with a visitor's question, as JSON (page_context.py).
    page_context = models.TextField(blank=True, db_default="", default="", editable=False)
    is_by_email = models.BooleanField(db_default=False, default=False, editable=False)
    # Questions that could be asked next, as a model suggested after this answer (follow_ups.py).
    follow_ups = models.JSONField(null=True, blank=True, editable=False)
    # For messages that no model answers; otherwise the generation has the key.
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
        """Return the id that all copies of one message share with their original."""
        return self.copied_from or self.pk

    @property
    def is_by_person(self) -> bool:
        return self.author is not None


class ProgramHistory(models.Model):
    """Identifies an answer by all that a program's next call repeats (program_chats.py)."""

    message = models.OneToOneField(Message, on_delete=models.CASCADE, primary_key=True)
    digest = models.CharField(max_length=64)

    class Meta:
        indexes = [models.Index(fields=["digest"], name="program_histories")]

    def __str__(self) -> str:
        return f"history of message {self.pk}"


class UnindexedMessage(models.Model):
    """A message to index, or to index again for its new owner (search/long_messages.py)."""

    message = models.OneToOneField(Message, on_delete=models.CASCADE, primary_key=True)

    def __str__(self) -> str:
        return f"message {self.pk}, not in the index"


class Takeover(models.Model):
    """A period in which a staff member answers a visitor's conversation in place of the model."""

    class End(models.TextChoices):
        HANDED_BACK = "handed_back"
        LEFT = "left"  # their page sent no heartbeat
        TRANSFERRED = "transferred"  # to a colleague, with a takeover of their own

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="takeovers"
    )
    person = models.BigIntegerField()  # a plain number, like Message.author
    started_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.CharField(max_length=11, choices=End.choices, blank=True)
    rating = models.SmallIntegerField(null=True, blank=True)  # the visitor's: 1 or -1
    rating_comment = models.TextField(blank=True, default="", db_default="")

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
    """The text of a redacted message, for staff only.

    `title` is the conversation's title, if it was made from this message.
    """

    message = models.OneToOneField(
        Message, on_delete=models.CASCADE, primary_key=True, related_name="redacted_text"
    )
    text = models.TextField(blank=True)
    reasoning = models.TextField(blank=True)
    title = models.CharField(max_length=TITLE_LENGTH, blank=True)

    def __str__(self) -> str:
        return f"words of message {self.pk}"


class Rating(models.Model):
    """A user's rating of an answer. Each user has one, and can change it."""

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
