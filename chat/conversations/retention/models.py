"""Store how long the conversations of a group's members are kept."""

from django.contrib.auth.models import Group
from django.db import models


class GroupRetention(models.Model):
    """The period of a group; without it, the site's period applies to its members."""

    group = models.OneToOneField(Group, on_delete=models.CASCADE, related_name="retention")
    days = models.PositiveIntegerField()  # since the last use; 0: kept until they are deleted

    def __str__(self) -> str:
        return f"{self.days} days for group {self.group_id}"
