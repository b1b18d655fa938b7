"""Answers that a website's team wrote, and questions that had none."""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.knowledge.models import ADDRESS_LENGTH, DOCUMENT_NAME_LENGTH, Document
from chat.widget_sites.models import WidgetSite

#: A question is the name of its document.
QUESTION_LENGTH = DOCUMENT_NAME_LENGTH
ANSWER_LENGTH = 10_000
STATE_LENGTH = 64  # of a hash


class AnswerSnippet(models.Model):
    """A question and its answer. It is found by its document, which it has while it is valid."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="snippets")
    question = models.CharField(max_length=QUESTION_LENGTH)
    answer = models.TextField()
    # The last day on which it is used, in UTC.
    valid_until = models.DateField(null=True, blank=True)
    # Visitors never get it, nor does a model that answers them.
    is_for_team = models.BooleanField(default=False)
    document = models.OneToOneField(
        Document, on_delete=models.SET_NULL, null=True, related_name="snippet"
    )
    # Passages of other documents that contradict it, until somebody dismisses them: of each, the
    # document's id, and its place and anchor there. A page that has changed is another document.
    contradictions = models.JSONField(default=list, blank=True, db_default=[])
    written_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="snippets_written"
    )
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["site", "question"], name="one_answer_per_question")
        ]
        indexes = [
            models.Index(
                fields=["valid_until"],
                condition=models.Q(document__isnull=False),
                name="snippets_to_expire",
            )
        ]

    def __str__(self) -> str:
        return f"answer {self.pk} of site {self.site_id}"

    @property
    def document_address(self) -> str:
        """Return what all versions of its document have in common."""
        return f"answer:{self.pk}"

    @property
    def is_expired(self) -> bool:
        return self.valid_until is not None and self.valid_until < timezone.localdate()


class Gap(models.Model):
    """Questions of one meaning that had no good answer. Their texts are in their messages only."""

    class State(models.TextChoices):
        OPEN = "open"
        ANSWERED = "answered"  # a later question of this meaning opens it again
        DISMISSED = "dismissed"

    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="gaps")
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    # What answers it now.
    snippet = models.ForeignKey(
        AnswerSnippet, on_delete=models.SET_NULL, null=True, related_name="gaps"
    )
    created_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["site", "state"], name="gaps_of_site")]

    def __str__(self) -> str:
        return f"gap {self.pk} of site {self.site_id}"


class UnansweredQuestion(models.Model):
    """A visitor's question that had no good answer."""

    class Cause(models.TextChoices):
        NOTHING_FOUND = "nothing", _("No answer found")
        RATED_BAD = "bad", _("Rated as bad")
        PERSON = "person", _("Handed to a person")

    message = models.OneToOneField(
        Message, on_delete=models.CASCADE, primary_key=True, related_name="unanswered"
    )
    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="unanswered")
    # None until it is grouped (grouping.py).
    gap = models.ForeignKey(Gap, on_delete=models.CASCADE, null=True, related_name="questions")
    cause = models.CharField(max_length=7, choices=Cause.choices)
    # That the search had, in bytes as in DocumentIndex; it goes with the message.
    vector = models.BinaryField(null=True)
    embedding_model = models.CharField(max_length=100, blank=True, default="")

    class Meta:
        indexes = [
            models.Index(
                fields=["message"], condition=models.Q(gap__isnull=True), name="questions_to_group"
            )
        ]

    def __str__(self) -> str:
        return f"unanswered message {self.message_id}"


class AnswerCase(models.Model):
    """A question whose answer has to cite a source, to check a website's answers with."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="answer_cases")
    question = models.CharField(max_length=QUESTION_LENGTH)
    # The address of a page, or the name of another document, which outlive their versions.
    source = models.CharField(max_length=ADDRESS_LENGTH)
    # Whether it was cited the last time, and ever.
    is_right = models.BooleanField(null=True)
    was_right = models.BooleanField(null=True)
    is_waiting = models.BooleanField(default=False)
    problem = models.CharField(max_length=40, blank=True, default="")  # an error's code
    created_at = models.DateTimeField(default=timezone.now)
    ran_at = models.DateTimeField(null=True)
    # The state that answers depended on then (trial.py).
    ran_with = models.CharField(max_length=STATE_LENGTH, blank=True, default="", db_default="")

    def __str__(self) -> str:
        return f"case {self.pk} of site {self.site_id}"

    @property
    def is_worse(self) -> bool:
        return bool(self.was_right) and self.is_right is False


class CaseSchedule(models.Model):
    """Whether a website's cases run by themselves, and when to look whether they have to."""

    site = models.OneToOneField(
        WidgetSite, on_delete=models.CASCADE, primary_key=True, related_name="case_schedule"
    )
    is_automatic = models.BooleanField(default=True, db_default=True)
    next_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["next_at"], name="case_schedules_by_time")]

    def __str__(self) -> str:
        return f"schedule of the cases of site {self.site_id}"
