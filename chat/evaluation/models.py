"""Datasets of questions, runs that answer them again, and votes of people who compare two runs.

What is copied from a chat is deleted with its message, its chat and its owner's account, and so is
each answer to it.
"""

from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.knowledge.models import Collection

DATASET_NAME_LENGTH = 80
PROBLEM_LENGTH = 40
MODEL_LENGTH = 200
PROMPT_LENGTH = 20_000


class EvaluationDataset(models.Model):
    """A named set of questions."""

    name = models.CharField(max_length=DATASET_NAME_LENGTH)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    # Of chats, without those that staff removed again: the rest was withdrawn, or erased.
    copied_turns = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("name", "id")

    def __str__(self) -> str:
        return self.name


class DatasetItem(models.Model):
    """A question with what was said before it, and the answer that was given or is expected.

    A turn of a chat has the person who wrote it; an item that staff wrote has none.
    """

    dataset = models.ForeignKey(EvaluationDataset, on_delete=models.CASCADE, related_name="items")
    person = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, null=True, related_name="+"
    )
    message = models.ForeignKey(Message, on_delete=models.CASCADE, null=True, related_name="+")
    # As {"role": …, "content": …}; the last one is the question.
    messages = models.JSONField()
    answer = models.TextField(blank=True)
    expected = models.TextField(blank=True)  # what a good answer says, for the people who compare
    answered_by = models.CharField(max_length=MODEL_LENGTH, blank=True)
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["dataset", "message"],
                condition=models.Q(message__isnull=False),
                name="one_copy_of_a_turn_in_a_dataset",
            )
        ]

    def __str__(self) -> str:
        return f"item {self.pk}"

    @property
    def question(self) -> str:
        return str(self.messages[-1]["content"])

    @property
    def context(self) -> list[dict[str, Any]]:
        """Return what was said before the question, and the instructions."""
        return list(self.messages[:-1])


class EvaluationRun(models.Model):
    """Answers to all questions of a dataset by one model, with one set of instructions."""

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        CANCELLED = "cancelled", _("cancelled")
        STOPPED = "stopped", _("stopped")  # the budget is used up, or no process finishes it

    dataset = models.ForeignKey(EvaluationDataset, on_delete=models.CASCADE, related_name="runs")
    name = models.CharField(max_length=DATASET_NAME_LENGTH)
    # The answers that the items came with, as a run, so that others can be compared with them.
    is_of_stored_answers = models.BooleanField(default=False)
    model = models.CharField(max_length=MODEL_LENGTH, blank=True)
    # None: the instructions that each item came with.
    system_prompt = models.TextField(null=True)  # noqa: DJ001
    parameters = models.JSONField(default=dict)
    max_tokens = models.PositiveIntegerField()
    collection = models.ForeignKey(
        Collection, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    # Its collection may be deleted later. Then nothing else is asked, which would be without them.
    has_documents = models.BooleanField(default=False, db_default=False)
    is_judged = models.BooleanField(default=False)
    estimated_microdollars = models.BigIntegerField(default=0)
    state = models.CharField(max_length=9, choices=State.choices, default=State.RUNNING)
    # Why it was stopped, as a code of problems.py.
    problem = models.CharField(max_length=PROBLEM_LENGTH, blank=True)
    # How often it was started: a step of an earlier start does nothing any more.
    starts = models.PositiveSmallIntegerField(default=1)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.name

    @property
    def has_lost_documents(self) -> bool:
        return self.has_documents and self.collection_id is None

    @property
    def is_running(self) -> bool:
        return self.state == self.State.RUNNING


class RunAnswer(models.Model):
    """What a run got for one item: an answer, or why there is none."""

    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="answers")
    item = models.ForeignKey(DatasetItem, on_delete=models.CASCADE, related_name="answers")
    text = models.TextField(blank=True)
    problem = models.CharField(max_length=PROBLEM_LENGTH, blank=True)  # a code of problems.py
    # By category, from 0 to 1; None: it wasn't judged.
    probabilities = models.JSONField(null=True)
    judge_problem = models.CharField(max_length=PROBLEM_LENGTH, blank=True)
    microdollars = models.BigIntegerField(default=0)  # of the answer
    judge_microdollars = models.BigIntegerField(default=0)
    milliseconds = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "item"], name="one_answer_per_item_of_a_run")
        ]

    def __str__(self) -> str:
        return f"answer {self.pk} of run {self.run_id}"


class BlindVote(models.Model):
    """Which of two answers somebody preferred who didn't know what wrote them.

    `first` is the run with the lower ID, whatever was shown first.
    """

    class Choice(models.TextChoices):
        FIRST = "first"
        SECOND = "second"
        TIE = "tie"
        BOTH_BAD = "both_bad"

    item = models.ForeignKey(DatasetItem, on_delete=models.CASCADE, related_name="+")
    first = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="+")
    rater = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    choice = models.CharField(max_length=8, choices=Choice.choices)
    voted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["first", "second", "item", "rater"], name="one_blind_vote_per_rater"
            )
        ]

    def __str__(self) -> str:
        return f"vote {self.pk}"
