"""Store how long the conversations of a group's members are kept, and which will be deleted."""

from django.contrib.auth.models import Group
from django.db import models
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation


class GroupRetention(models.Model):
    """The period of a group; without it, the site's period applies to its members."""

    group = models.OneToOneField(Group, on_delete=models.CASCADE, related_name="retention")
    days = models.PositiveIntegerField()  # since the last use; 0: kept until they are deleted

    def __str__(self) -> str:
        return f"{self.days} days for group {self.group_id}"


class ExpiryNotice(models.Model):
    """A conversation that will be deleted, and since when its owner can read that."""

    conversation = models.OneToOneField(
        Conversation, on_delete=models.CASCADE, primary_key=True, related_name="expiry_notice"
    )
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="expiry_notices")
    announced_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.conversation_id}, announced {self.announced_at:%Y-%m-%d}"
