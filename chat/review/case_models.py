"""Define rules, flags, and cases, which collect the flags of a chat."""

from typing import Any
from uuid import UUID

from django.contrib.auth.models import Group
from django.db import models
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.widget_sites.models import WidgetSite

RULE_NAME_LENGTH = 60
RULE_TEXT_LENGTH = 2000
WORDS_LENGTH = 1000
KINDS_LENGTH = 60
MAX_FLAGS = 20  # per case


class Severity(models.IntegerChoices):
    LOW = 1, _("low")
    MEDIUM = 2, _("medium")
    HIGH = 3, _("high")


class Category(models.TextChoices):
    """What a verdict tells about a message (chat/upstream/judging/categories.py)."""

    HARMFUL = "harmful", _("harmful in any way")
    VIOLENCE = "violence", _("violence")
    SELF_HARM = "self_harm", _("self-harm")
    SEXUAL = "sexual", _("sexual content")
    HATE = "hate", _("hate")
    HARASSMENT = "harassment", _("harassment")
    DANGEROUS = "dangerous", _("crime, weapons, drugs or malware")
    PERSONAL = "personal", _("personal data")
    UNGROUNDED = "ungrounded", _("not based on its sources")
    UNANSWERED = "unanswered", _("question not answered")
    PERSON = "person", _("wants to talk to a person")


class Rule(models.Model):
    """A condition, and what happens to messages that meet it."""

    class Kind(models.TextChoices):
        WORDS = "words", _("it contains any of these words")
        PATTERN = "pattern", _("it matches a pattern")
        PERSONAL = "personal", _("it contains personal data of these kinds")
        LANGUAGE = "language", _("it is written in any of these languages")
        ANSWER_COST = "answer_cost", _("an answer costs more than (US$)")
        CHAT_COST = "chat_cost", _("it costs more than (US$)")
        LENGTH = "length", _("a message is longer than (characters)")
        TOOL = "tool", _("an answer calls any of these tools")
        VERDICT = "verdict", _("the judge is at least this sure (%)")

    class AppliesTo(models.TextChoices):
        BOTH = "both", _("in questions and answers")
        QUESTIONS = "questions", _("in questions")
        ANSWERS = "answers", _("in answers")

    class Action(models.TextChoices):
        QUEUE = "queue", _("put the chat in the queue")
        MARK = "mark", _("only show it to staff")
        REFUSE = "refuse", _("don't send the question")
        HIDE = "cover", _("hide the message, and put the chat in the queue")
        PERSON = "person", _("ask for a person, and put the chat in the queue")

    name = models.CharField(max_length=RULE_NAME_LENGTH)
    kind = models.CharField(max_length=11, choices=Kind.choices)
    # One word or phrase per line, or a pattern.
    text = models.TextField(max_length=RULE_TEXT_LENGTH, blank=True)
    # Of personal data: the kinds, with blanks between them (chat/lib/personal_data/kinds.py).
    data_kinds = models.CharField(max_length=KINDS_LENGTH, blank=True, default="", db_default="")
    threshold = models.FloatField(null=True, blank=True)  # larger values are flagged
    # Of a verdict: its category, and the percentage of messages that are judged.
    category = models.CharField(
        max_length=20, choices=Category.choices, blank=True, default="", db_default=""
    )
    share = models.SmallIntegerField(default=100, db_default=100)
    # Whether a message that could not be judged counts as a match.
    fails_closed = models.BooleanField(default=False, db_default=False)
    # Whether answers are also checked while they are written; only rules that hide messages are.
    while_writing = models.BooleanField(default=False, db_default=False)
    action = models.CharField(
        max_length=7, choices=Action.choices, default=Action.QUEUE, db_default=Action.QUEUE
    )
    applies_to = models.CharField(max_length=9, choices=AppliesTo.choices, default=AppliesTo.BOTH)
    members = models.ForeignKey(  # with neither members nor site, the rule applies to everyone
        Group, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    site = models.ForeignKey(
        WidgetSite, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    severity = models.SmallIntegerField(choices=Severity.choices, default=Severity.MEDIUM)
    # Whether a match places the chat on legal hold until its case is resolved.
    holds_chats = models.BooleanField(default=True, db_default=True)
    is_enabled = models.BooleanField(default=True)
    matches = models.PositiveIntegerField(default=0)
    matched_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    # Not null while the rule runs on past messages: those with a lower ID are still unchecked.
    backfill_before = models.BigIntegerField(null=True)
    # Not null while the rule is withdrawn: its flags with a lower ID are still there.
    withdrawal_before = models.BigIntegerField(null=True)

    class Meta:
        ordering = ("name", "id")

    def __str__(self) -> str:
        return self.name


class Case(models.Model):
    """The flags of one chat until staff resolve them. Later flags open another case.

    A case outlives its chat (cases/erased_chats.py). The columns `former_…` are filled when the
    chat is erased. As plain values, they outlive the account, website and groups too.
    """

    class State(models.IntegerChoices):
        OPEN = 1
        IN_WORK = 2
        RESOLVED = 3

    class Outcome(models.TextChoices):
        DISMISSED = "dismissed"
        CONFIRMED = "confirmed"

    conversation = models.ForeignKey(
        Conversation, on_delete=models.SET_NULL, null=True, related_name="cases"
    )
    erased_at = models.DateTimeField(null=True)
    former_conversation = models.UUIDField(null=True)
    former_owner = models.BigIntegerField(null=True)
    former_site = models.BigIntegerField(null=True)  # that the owner visited
    former_groups = models.TextField(db_default=" ", default=" ")  # " 3 7 ": those of the owner
    state = models.SmallIntegerField(choices=State.choices, default=State.OPEN)
    severity = models.SmallIntegerField(choices=Severity.choices, default=Severity.LOW)
    assignee = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="review_cases"
    )
    opened_at = models.DateTimeField(default=timezone.now)
    severe_since = models.DateTimeField(null=True)  # None: its severity is not high
    # How often staff were told that nobody has taken on a severe case (staff_notices/duty.py).
    escalations = models.SmallIntegerField(default=0, db_default=0)
    # The columns have their former names, which the previous version uses (docs/upgrade.md).
    resolved_at = models.DateTimeField(null=True, db_column="settled_at")
    resolved_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", db_column="settled_by_id"
    )
    outcome = models.CharField(max_length=9, choices=Outcome.choices, blank=True)
    # Reason for the outcome.
    resolution_note = models.TextField(max_length=WORDS_LENGTH, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"],
                condition=models.Q(state__lt=3),
                name="one_case_at_a_time",
            )
        ]
        indexes = [
            models.Index(fields=["state", "id"], name="cases_oldest_first"),
            models.Index(fields=["state", "-severity", "id"], name="cases_worst_first"),
            models.Index(
                fields=["former_conversation"],
                condition=models.Q(former_conversation__isnull=False),
                name="cases_of_erased_chats",
            ),
        ]

    def __str__(self) -> str:
        return f"case {self.pk}"

    @property
    def is_resolved(self) -> bool:
        return self.state == self.State.RESOLVED

    @property
    def chat_id(self) -> UUID:
        """Return the ID of the chat, also after it was erased."""
        conversation_id = self.conversation_id or self.former_conversation
        assert conversation_id is not None  # noqa: S101  (one of them is always set)
        return conversation_id

    @property
    def owner_id(self) -> int:
        """Return the ID of the chat's owner, whose account may have been deleted since."""
        owner_id = self.conversation.owner_id if self.conversation else self.former_owner
        assert owner_id is not None  # noqa: S101  (one of them is always set)
        return owner_id

    @property
    def newest_flags(self) -> "list[Flag]":
        """Return the newest flags first, of a case that chat/review/access.py has loaded."""
        flags: list[Flag] = vars(self)["loaded_flags"]
        return flags


def give_back(person: User) -> None:
    """Reopen the cases of a staff member whose account is closed or deleted."""
    if not person.is_visitor:  # visitors have no cases, and there are many of them
        theirs = Case.objects.filter(assignee=person.pk, state=Case.State.IN_WORK)
        theirs.update(state=Case.State.OPEN, assignee=None)


@receiver(pre_delete, sender=User)
def _before_deletion(instance: User, **_kwargs: object) -> None:
    give_back(instance)  # one that was never closed


class Flag(models.Model):
    """Why a chat is in the queue. `message` is an ID, so the flag outlives the message."""

    class Source(models.IntegerChoices):
        """What raised a flag, as bits. ConversationStats.flag_sources is their union for a chat."""

        REPORT = 1
        THUMB = 2
        RULE = 4
        STAFF = 8

    class Reason(models.TextChoices):
        HARMFUL = "harmful", _("Harmful or dangerous")
        HATEFUL = "hateful", _("Harassment or threats")
        PERSONAL = "personal", _("Contains personal data")
        WRONG = "wrong", _("Inaccurate")
        OTHER = "other", _("Something else")

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="flags")
    source = models.SmallIntegerField(choices=Source.choices)
    message = models.BigIntegerField(null=True)  # None: the whole chat
    person = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    rule = models.ForeignKey(Rule, on_delete=models.SET_NULL, null=True, related_name="flags")
    # A Reason, or a Rating.Reason for a bad rating.
    reason = models.CharField(max_length=20, blank=True)
    comment = models.TextField(max_length=WORDS_LENGTH, blank=True)  # for a rule: its name
    severity = models.SmallIntegerField(choices=Severity.choices, default=Severity.LOW)
    # What its rule says, which may be deleted; of others, True (cases/holds.py).
    holds_chat = models.BooleanField(default=True, db_default=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["rule", "message"],
                condition=models.Q(rule__isnull=False, message__isnull=False),
                name="one_flag_of_a_rule",
            ),
            models.UniqueConstraint(
                fields=["case", "message"],
                condition=models.Q(source=2),
                name="one_flag_of_a_thumb",
            ),
        ]

    def __str__(self) -> str:
        return f"flag {self.pk}"

    def save(self, *arguments: Any, **options: Any) -> None:
        if self._state.adding and self.rule:
            self.holds_chat = self.rule.holds_chats
        super().save(*arguments, **options)


def with_flags(cases: models.QuerySet[Case]) -> models.QuerySet[Case]:
    """Load the newest flags of each case; the newest case comes first."""
    flags = Flag.objects.order_by("-id").select_related("person__visitor__site", "rule")
    return cases.order_by("-id").prefetch_related(
        models.Prefetch("flags", flags[:MAX_FLAGS], to_attr="loaded_flags")
    )


class PendingRuleCheck(models.Model):
    """A message that rules have not checked yet; triggers add it (cases/triggers.py)."""

    message = models.BigIntegerField(primary_key=True)

    def __str__(self) -> str:
        return f"unchecked message {self.pk}"
