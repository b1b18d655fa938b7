"""Projects and tags, with which a member organises their chats.

A chat is in at most one project and has any number of tags. Deleting either keeps the chats.
"""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.personas.models import Persona

NAME_LENGTH, TAG_LENGTH = 80, 40
INSTRUCTIONS_LENGTH = 20_000
#: How many one member may have.
MAX_PROJECTS, MAX_TAGS = 100, 100


class Project(models.Model):
    """A folder of chats, with instructions for the model and a persona for new chats."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="projects")
    name = models.CharField(max_length=NAME_LENGTH)
    instructions = models.TextField(blank=True)
    persona = models.ForeignKey(
        Persona, on_delete=models.SET_NULL, null=True, blank=True, related_name="projects"
    )
    # Not offered for chats; those that it has stay as they are.
    is_archived = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class ChatTag(models.Model):
    """A word with which a member marks chats. Its name is unique in any case."""

    class Color(models.TextChoices):
        NONE = "", _("No color")
        RED = "red", _("Red")
        ORANGE = "orange", _("Orange")
        GREEN = "green", _("Green")
        BLUE = "blue", _("Blue")
        PURPLE = "purple", _("Purple")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tags")
    name = models.CharField(max_length=TAG_LENGTH)
    # The name in a form that is the same for all cases.
    folded_name = models.CharField(max_length=3 * TAG_LENGTH, editable=False)
    color = models.CharField(max_length=10, choices=Color.choices, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "folded_name"], name="one_tag_per_name")
        ]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def fold(name: str) -> str:
        """Return the name as tags are compared: without case and repeated spaces."""
        return " ".join(name.casefold().split())
