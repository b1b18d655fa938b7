"""Database models of generations, their stored logs, and the processes that run them."""

import uuid

from django.contrib.auth.models import Group
from django.db import models
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Message


class Worker(models.Model):
    """A server process. It is dead if its pid is gone, or its heartbeat is old."""

    host = models.CharField(max_length=255)
    pid = models.PositiveIntegerField()
    # Tells the process from a later one with the same pid.
    process_started = models.CharField(max_length=40)
    # The processes that can look up its pid have the same. Empty: none can.
    pid_scope = models.CharField(max_length=64, db_default="")
    heartbeat_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"worker {self.pid} on {self.host}"


class Generation(models.Model):
    """One attempt to write an answer. Each change of state is a conditional update."""

    class State(models.TextChoices):
        RUNNING = "running"
        COMPLETE = "complete"
        STOPPED = "stopped"
        INTERRUPTED = "interrupted"
        FAILED = "failed"

    class Cause(models.IntegerChoices):
        """Why staff stopped the answer. Null if its owner did."""

        STAFF = 1
        TAKEOVER = 2

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="generations")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="generations")
    worker = models.ForeignKey(Worker, on_delete=models.SET_NULL, null=True, blank=True)
    state = models.CharField(max_length=11, choices=State.choices, default=State.RUNNING)
    send_key = models.CharField(max_length=64)
    send_digest = models.CharField(max_length=64)
    # Code points of the text that it continues.
    base_length = models.PositiveIntegerField(default=0)
    model = models.CharField(max_length=200)
    reasoning_effort = models.CharField(max_length=10, blank=True)  # empty: the model's default
    # The longest answer that the limits allowed.
    max_tokens = models.PositiveIntegerField(null=True, blank=True)
    omitted_messages = models.PositiveIntegerField(default=0)
    # Nobody but staff learns the model, because the member compares it without knowing it.
    hides_model = models.BooleanField(default=False, db_default=False)
    stop_requested = models.BooleanField(default=False)
    stop_cause = models.SmallIntegerField(choices=Cause.choices, null=True, blank=True)
    last_seen_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    milliseconds = models.PositiveIntegerField(null=True, blank=True)  # from the request to the end
    first_token_milliseconds = models.PositiveIntegerField(null=True, blank=True)
    length = models.PositiveIntegerField(default=0)  # code points of the message's text at the end
    last_seq = models.PositiveIntegerField(default=0)  # the last frame before the terminal ones
    finish_reason = models.CharField(max_length=40, blank=True)
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.CharField(max_length=300, blank=True)
    error_retryable = models.BooleanField(default=False)
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    total_tokens = models.PositiveIntegerField(null=True, blank=True)
    cached_tokens = models.PositiveIntegerField(null=True, blank=True)  # of the prompt tokens
    neurons = models.FloatField(null=True, blank=True)
    cost_usd = models.FloatField(null=True, blank=True)
    gateway_log_id = models.CharField(max_length=100, blank=True)
    gateway_cache_status = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "send_key"], name="one_generation_per_send")
        ]
        indexes = [
            models.Index(
                fields=["worker"],
                condition=models.Q(state="running"),
                name="running_generations",
            ),
            models.Index(
                fields=["owner"],
                condition=models.Q(state="running"),
                name="running_generations_of_owner",
            ),
        ]

    def __str__(self) -> str:
        return f"generation {self.pk}"


class AllowedModel(models.Model):
    """A model that a group allows.

    A group without such rows allows every model; one with rows allows only these.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="allowed_models")
    model = models.CharField(max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["group", "model"], name="one_model_of_a_group")
        ]

    def __str__(self) -> str:
        return self.model


class WithheldTool(models.Model):
    """A tool that answers to a group's members don't use."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="withheld_tools")
    tool = models.CharField(max_length=100)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["group", "tool"], name="one_withheld_tool_of_a_group")
        ]

    def __str__(self) -> str:
        return self.tool


class LogPage(models.Model):
    """The frames that one flush added to a generation, encoded for the wire."""

    # The constraint's index also serves the foreign key; each further one would slow every flush.
    generation = models.ForeignKey(
        Generation, on_delete=models.CASCADE, related_name="pages", db_index=False
    )
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    frames = models.BinaryField()
    written_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["generation", "first_seq"], name="one_log_page_per_seq")
        ]

    def __str__(self) -> str:
        return f"page {self.first_seq}-{self.last_seq} of {self.generation_id}"
