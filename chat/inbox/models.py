"""Store notices to a site's team, and email addresses of visitors."""

from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from chat.conversations.models import Conversation
from chat.webhooks.retries import Delivery
from chat.widget_sites.models import WidgetSite


class VisitorEmail(models.Model):
    """The address to which a visitor wants the answers of persons in one chat."""

    conversation = models.OneToOneField(
        Conversation, on_delete=models.CASCADE, primary_key=True, related_name="visitor_email"
    )
    address = models.EmailField()
    language = models.CharField(max_length=12)
    agreed_at = models.DateTimeField(default=timezone.now)
    # The last message that was mailed, or that the visitor had when giving the address.
    mailed_to = models.BigIntegerField(default=0)
    # When to mail, or to try again after a failure.
    due_at = models.DateTimeField(default=timezone.now, db_default=Now(), db_index=True)
    tries = models.PositiveSmallIntegerField(default=0, db_default=0)

    def __str__(self) -> str:
        return f"email address for conversation {self.conversation_id}"


class SiteNotice(Delivery):
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

    def __str__(self) -> str:
        return f"{self.channel} about {self.kind} of site {self.site_id}"
