"""Personas and prompts, which belong to a member or to the site.

The site's have no owner: staff create them, for everybody or for groups, and any staff member may
change them. So they remain when the account that created them is deleted.
"""

import uuid

from django.contrib.auth.models import Group
from django.db import models
from django.utils import timezone

from chat.accounts.models import User

NAME_LENGTH = 80
PROMPT_LENGTH = 20_000
MAX_PERSONAS, MAX_PROMPTS = 100, 500  # of one member


class Shareable(models.Model):
    """An object that belongs to a member or, without an owner, to the site.

    The site's objects are for everybody or for groups.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, blank=True, related_name="%(class)ss"
    )
    name = models.CharField(max_length=NAME_LENGTH)
    for_everybody = models.BooleanField(default=False)
    groups = models.ManyToManyField(Group, blank=True, related_name="%(class)ss")
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name


class Persona(Shareable):
    """The settings for answers in a chat: system prompt, model and parameters."""

    description = models.CharField(max_length=200, blank=True)
    system_prompt = models.TextField(blank=True)
    model = models.CharField(max_length=200, blank=True)  # empty: the user's choice
    fallback_model = models.CharField(max_length=200, blank=True)  # empty: the site's
    max_tokens = models.PositiveIntegerField(null=True, blank=True)
    reasoning_effort = models.CharField(max_length=10, blank=True)  # empty: the model's default
    parameters = models.JSONField(default=dict, blank=True)  # those of parameters.py that are set
    cache_seconds = models.PositiveIntegerField(null=True, blank=True)  # None: the site's; 0: never
    starters = models.JSONField(default=list, blank=True)
    # Of the tools that its chats may use, with spaces between them.
    tool_names = models.CharField(max_length=500, blank=True, default="", db_default="")


class Prompt(Shareable):
    """A text to insert into messages."""

    text = models.TextField()
