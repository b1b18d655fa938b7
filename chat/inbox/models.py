"""Store how a site's team handles chats, notices to it, and email addresses of visitors."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.conversations.models import Conversation
from chat.outbox.models import Delivery
from chat.webhooks.attempts import WebhookAttempt
from chat.widget_sites.models import Visitor, WidgetSite


class VisitorEmail(models.Model):
    """The address to which a visitor wants the answers of persons in one chat."""

    conversation = models.OneToOneField(
        Conversation, on_delete=models.CASCADE, primary_key=True, related_name="visitor_email"
    )
    address = models.EmailField()
    language = models.CharField(max_length=12)
    agreed_at = models.DateTimeField(default=timezone.now)
    # The last message that a mail has, or that the visitor had when giving the address.
    mailed_to = models.BigIntegerField(default=0)
    # The last mail, while it waits in the outbox.
    delivery = models.OneToOneField(Delivery, on_delete=models.SET_NULL, null=True)

    def __str__(self) -> str:
        return f"email address for conversation {self.conversation_id}"


class HandledChat(models.Model):
    """How a website's team handles a chat. Without a row, it is open and assigned to nobody.

    A closed or snoozed chat is open again once the visitor writes: handled_chats.py compares times,
    so that sending a message costs nothing more.
    """

    class State(models.TextChoices):
        OPEN = "open", _("Open chat")
        SNOOZED = "snoozed", _("Snoozed")
        CLOSED = "closed", _("Closed")

    conversation = models.OneToOneField(
        Conversation, on_delete=models.CASCADE, primary_key=True, related_name="handled"
    )
    # Plain numbers, like Takeover.person.
    assignee = models.BigIntegerField(null=True)
    state = models.CharField(max_length=7, choices=State.choices, default=State.OPEN)
    snoozed_until = models.DateTimeField(null=True)
    # The state. Nobody has if the time of a snooze came.
    changed_by = models.BigIntegerField(null=True)
    changed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["assignee"], name="handled_chats_by_assignee"),
            models.Index(fields=["state", "snoozed_until"], name="handled_chats_by_state"),
        ]

    def __str__(self) -> str:
        return f"{self.state} conversation {self.conversation_id}"


class InboxLabel(models.Model):
    """A word that a website's team has for its chats."""

    NAME_LENGTH = 30

    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="labels")
    name = models.CharField(max_length=NAME_LENGTH)
    chats = models.ManyToManyField(Conversation, related_name="inbox_labels")

    class Meta:
        ordering = ("name", "id")
        constraints = [
            models.UniqueConstraint(fields=["site", "name"], name="one_inbox_label_of_a_name")
        ]

    def __str__(self) -> str:
        return self.name


class SiteNotice(models.Model):
    """One notice about one chat, kept while it counts against the limits of notices.py."""

    class Kind(models.TextChoices):
        PERSON_REQUESTED = "person_requested"
        RATED_BADLY = "rated_badly"
        WAITING = "waiting"  # for the person who has taken over
        # The following are for one person in the team, and don't count.
        ASSIGNED = "assigned"
        SNOOZE_OVER = "snooze_over"

    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    conversation = models.UUIDField()
    is_mailed = models.BooleanField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.kind} of site {self.site_id}"


class InboxWebhookAttempt(WebhookAttempt):
    """One attempt to send a notice to a site's webhook, for its owners."""

    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="webhook_attempts")
    delivery = models.UUIDField()
    event = models.CharField(max_length=16)


class VisitorForm(models.Model):
    """What a site asks its visitors before their first message. Without a row, nothing."""

    QUESTION_LENGTH = 100
    CHOICE_LENGTH = 60

    site = models.OneToOneField(
        WidgetSite, on_delete=models.CASCADE, primary_key=True, related_name="visitor_form"
    )
    asks_name = models.BooleanField(default=False)
    asks_email = models.BooleanField(default=False)
    question = models.CharField(max_length=QUESTION_LENGTH, blank=True)
    choices = models.JSONField(default=list)  # answers to the question
    is_required = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"visitor form of site {self.site_id}"


class VisitorDetails(models.Model):
    """What a visitor answered. Anybody can claim anything: nothing of it is proven."""

    NAME_LENGTH = 100

    visitor = models.OneToOneField(
        Visitor, on_delete=models.CASCADE, primary_key=True, related_name="details"
    )
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    email = models.EmailField(blank=True)
    choice = models.CharField(max_length=VisitorForm.CHOICE_LENGTH, blank=True)
    given_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"details of visitor {self.visitor_id}"
