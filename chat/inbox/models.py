"""Notices to a site's team that are still to be delivered, or were lately."""

from django.db import models
from django.utils import timezone

from chat.widget_sites.models import WidgetSite


class SiteNotice(models.Model):
    """One notice about one chat, by one channel."""

    class Kind(models.TextChoices):
        PERSON_REQUESTED = "person_requested"
        RATED_BADLY = "rated_badly"
        WAITING = "waiting"  # for the person who has taken over

    class Channel(models.TextChoices):
        MAIL = "mail"
        WEBHOOK = "webhook"

    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    channel = models.CharField(max_length=7, choices=Channel.choices)
    conversation = models.UUIDField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    # When to deliver it, or to try again; None: delivered or given up.
    due_at = models.DateTimeField(default=timezone.now, null=True, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.channel} about {self.kind} of site {self.site_id}"
