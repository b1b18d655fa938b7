"""Define reviewer scopes, the access log, and what staff store for their work."""

from django.contrib.auth.models import Group
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.append_only import AppendOnly, SealedRow
from chat.widget_sites.models import WidgetSite

REASON_LENGTH = 200
DETAIL_LENGTH = 200
NOTE_LENGTH = 4000
NAME_LENGTH = 60
QUERY_LENGTH = 10_000  # all filters at full length, each character up to twelve when URL-encoded


class ReviewScope(models.Model):
    """Defines whose chats a reviewer, or every reviewer in a group, may see.

    That is a group of members, the visitors of a website, or everyone. Without a scope, a reviewer
    sees nobody. Administrators need none.
    """

    reviewer = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, blank=True, related_name="review_scopes",
        verbose_name=_("staff member"),
    )  # fmt: skip
    team = models.ForeignKey(
        Group, on_delete=models.CASCADE, null=True, blank=True, related_name="review_scopes",
        verbose_name=_("or staff group"),
    )  # fmt: skip
    members = models.ForeignKey(
        Group, on_delete=models.CASCADE, null=True, blank=True, related_name="reviewed_by",
        verbose_name=_("reviews members of"),
    )  # fmt: skip
    site = models.ForeignKey(
        WidgetSite, on_delete=models.CASCADE, null=True, blank=True, related_name="reviewed_by",
        verbose_name=_("or visitors of (leave both blank for everyone)"),
    )  # fmt: skip

    class Meta:
        verbose_name = _("reviewer scope")
        verbose_name_plural = _("reviewer scopes")
        permissions = [
            ("review", "Reviews what is said, within their scopes"),
            ("lead_review", "Leads reviewers: sees what they read, shares views"),
            ("administer_review", "Reviews everybody, and sees who people are"),
            ("view_figures", "Sees analytics, without people"),
            ("view_audit_log", "Sees who read and did what"),
            ("protect_data", "Answers people's requests for their data"),
            ("evaluate_models", "Tests models and prompts on datasets of questions"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(reviewer=None, team__isnull=False)
                | models.Q(reviewer__isnull=False, team=None),
                name="scope_of_one_or_of_a_team",
                violation_error_message=_("Choose a staff member or a staff group."),
            ),
            models.CheckConstraint(
                condition=models.Q(members=None) | models.Q(site=None),
                name="scope_of_members_or_of_visitors",
                violation_error_message=_("Choose either a member group or a website."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reviewer or self.team} → {self.members or self.site or '*'}"


class AccessLogEntry(SealedRow):
    """One access of a staff member to a conversation, without any text of it.

    It may also be a denied request, or an export about many people. The owner and the reader are
    IDs, not foreign keys, so the entry stays unchanged when an account is deleted.
    """

    class Kind(models.TextChoices):
        LISTED = "listed", _("title in a list")
        FOUND = "found", _("snippet in search results")
        READ = "read", _("read")
        WATCHED = "watched", _("watched live")
        EXPORTED = "exported", _("exported")
        SEARCHED = "searched", _("searched without results")
        REFUSED = "refused", _("access denied")
        VIEWED = "viewed", _("page of the person or website")

    reader = models.BigIntegerField()
    owner = models.BigIntegerField(null=True)  # None: many people at once, or nobody
    conversation = models.UUIDField(null=True)
    message = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    detail = models.CharField(max_length=DETAIL_LENGTH, blank=True)  # name of the exported file

    class Meta:
        verbose_name = _("access log entry")
        verbose_name_plural = _("access log")
        indexes = [
            models.Index(fields=["at"], name="access_log_by_time"),
            models.Index(fields=["owner", "-id"], name="access_log_by_owner"),
            models.Index(fields=["reader", "-id"], name="access_log_by_reader"),
            models.Index(
                fields=["conversation", "reader", "kind", "at"], name="access_log_by_chat"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class AuditSeal(AppendOnly):
    """A signed digest of one day's log entries, which also covers the previous seal."""

    day = models.DateField(unique=True)
    rows = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.day} {self.digest}"


class ConversationStats(models.Model):
    """Searchable facts of a conversation, without any text; triggers.py maintains most of them."""

    class State(models.IntegerChoices):
        """Bits for the results of answers; a conversation has the union of all."""

        COMPLETE = 1
        STOPPED = 2
        INTERRUPTED = 4
        FAILED = 8

    conversation = models.OneToOneField(
        Conversation, on_delete=models.CASCADE, primary_key=True, related_name="stats"
    )
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    updated_at = models.DateTimeField()
    is_hidden = models.BooleanField(default=False)  # deleted by its owner
    model_names = models.TextField(default=" ")  # each with a space before and after it
    states = models.SmallIntegerField(default=0)
    tokens = models.BigIntegerField(default=0)
    cost_usd = models.FloatField(default=0)
    good = models.IntegerField(default=0)
    bad = models.IntegerField(default=0)
    case_state = models.SmallIntegerField(default=0, db_default=0)  # of the latest case; 0: no case
    flag_sources = models.SmallIntegerField(default=0, db_default=0)  # bits of Flag.Source
    # Of its questions, each code with a space before and after it (cases/languages.py).
    languages = models.TextField(default=" ", db_default=" ")
    # Of its judged answers, each topic on a line of its own, after a first empty one.
    topics = models.TextField(default="\n", db_default="\n")

    class Meta:
        indexes = [
            models.Index(fields=["-updated_at", "-conversation"], name="stats_newest_first"),
            models.Index(fields=["owner", "-updated_at"], name="stats_of_owner"),
        ]

    def __str__(self) -> str:
        return f"stats of {self.pk}"


class StaffNote(models.Model):
    """A staff member's note on a conversation, for other staff; or one of a website's team."""

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="staff_notes"
    )
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    text = models.TextField(max_length=NOTE_LENGTH)
    # Written in the inbox, so the team may read it. Its author may be staff, too.
    is_of_team = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(default=timezone.now)
    # The note that it replies to. A plain number: replies stay if that note is deleted.
    thread = models.BigIntegerField(null=True)
    edited_at = models.DateTimeField(null=True)
    # Of the first note of a thread: who marked it as resolved, and when.
    resolved_at = models.DateTimeField(null=True)
    resolved_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"note {self.pk}"


class SavedSearch(models.Model):
    """A named search with its filters, private or shared with all staff."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="review_views")
    name = models.CharField(max_length=NAME_LENGTH)
    query = models.CharField(max_length=QUERY_LENGTH, blank=True)
    is_shared = models.BooleanField(default=False)

    class Meta:
        ordering = ("name", "id")
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="one_saved_search_of_a_name")
        ]

    def __str__(self) -> str:
        return self.name
