"""What people prepare for later chats. Each is one person's own, or the site's.

The site's have no owner: staff make them, for everybody or for groups, and any of the staff may
change them. So they stay when the account goes that made them.
"""

import uuid

from django.contrib.auth.models import Group
from django.db import models
from django.utils import timezone

from chat.accounts.models import User

NAME_LENGTH = 80


class Shareable(models.Model):
    """Somebody's own, or (without an owner) the site's, for everybody or for groups."""

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
    """How answers in a chat are written: what the model is told first, which one, and how."""

    description = models.CharField(max_length=200, blank=True)
    system_prompt = models.TextField(blank=True)
    model = models.CharField(max_length=200, blank=True)  # empty: as chosen
    fallback_model = models.CharField(max_length=200, blank=True)  # empty: the site's
    max_tokens = models.PositiveIntegerField(null=True, blank=True)
    reasoning_effort = models.CharField(max_length=10, blank=True)  # empty: the model's own
    parameters = models.JSONField(default=dict, blank=True)  # those of parameters.py that are set
    cache_seconds = models.PositiveIntegerField(null=True, blank=True)  # None: the site's; 0: never
    starters = models.JSONField(default=list, blank=True)


class Prompt(Shareable):
    """A text that somebody writes into a message again and again."""

    text = models.TextField()
