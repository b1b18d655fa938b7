"""Store widget sites, their identity keys, and visitors with their tokens.

Like a member, a visitor owns conversations through a user account, which nobody can sign in to. So
access control (chat/conversations/access.py), message tree and log are shared.
"""

import secrets
import uuid
from datetime import timedelta
from functools import partial
from typing import Any, ClassVar

from django.db import models, transaction
from django.db.models.functions import Now
from django.db.models.signals import post_delete, pre_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.personas.models import Persona
from chat.quotas.models import Limit

KEY_BYTES = 12  # public, but too long to guess
PUBLIC_NAME_LENGTH = 60
#: No function of ours: migrations name it, and import nothing that may change.
new_key = partial(secrets.token_hex, KEY_BYTES)


class WidgetSiteQuerySet(models.QuerySet["WidgetSite"]):
    def update(self, **values: Any) -> int:
        """Refuse to suspend in bulk, which no signal would log. Deleted sites are closed anyway."""
        if "is_suspended" in values and "deleted_at" not in values:
            raise TypeError("websites are suspended one at a time, by saving them")
        return super().update(**values)


class PresentWidgetSites(models.Manager["WidgetSite"]):
    def get_queryset(self) -> models.QuerySet["WidgetSite"]:
        return WidgetSiteQuerySet(self.model, using=self._db).filter(deleted_at=None)


class AnswerMode(models.TextChoices):
    """What a website's answers may be based on."""

    FREELY = "freely", _("On its documents and on what the model knows")
    FIRST = "first", _("On its documents first; it says when it goes beyond them")
    ONLY = "only", _("Only on its documents; otherwise it says that it found no answer")


class WidgetSite(models.Model):
    """A user's website. `key` is public: it is in the website's script tag."""

    key = models.CharField(max_length=32, unique=True, default=new_key, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sites")
    name = models.CharField(max_length=80)
    # "https://a.example", "https://*.a.example"
    origins = models.JSONField(default=list, blank=True)
    persona = models.ForeignKey(
        Persona, on_delete=models.SET_NULL, null=True, blank=True, related_name="sites"
    )
    welcome = models.TextField(blank=True)
    starters = models.JSONField(default=list, blank=True)
    consent = models.TextField(blank=True)  # if not empty, visitors must agree before they write
    privacy_url = models.URLField(blank=True)
    default_prompt = models.TextField(blank=True)  # used for an empty body (POST /w/<key>/chat)
    tool_names = models.CharField(max_length=500, blank=True, default="", db_default="")
    answer_mode = models.CharField(
        max_length=6,
        choices=AnswerMode.choices,
        default=AnswerMode.FREELY,
        db_default=AnswerMode.FREELY,
    )
    retention_days = models.PositiveIntegerField(null=True, blank=True)  # None: kept
    look = models.JSONField(null=True, blank=True, editable=False)  # look/widget_look.py
    offers_person = models.BooleanField(default=False, db_default=False)
    person_reply = models.TextField(blank=True, default="", db_default="")  # to who asks for one
    away_reply = models.TextField(blank=True, default="", db_default="")  # outside of the hours
    person_phrases = models.JSONField(null=True, blank=True)  # the chat offers a person after these
    canned_replies = models.JSONField(null=True, blank=True)  # to insert into an answer
    opening_hours = models.JSONField(null=True, blank=True)  # opening_hours.py
    asks_email = models.BooleanField(default=False, db_default=False)  # of who waits for a person
    mails_transcripts = models.BooleanField(default=False, db_default=False)
    # Visitors' browsers tell when a page differs from what was read (chat/website_sources).
    watches_pages = models.BooleanField(default=True, db_default=True)
    accepts_files = models.BooleanField(default=False, db_default=False)  # and images
    suggests_questions = models.BooleanField(default=False, db_default=False)  # if members get them
    has_cards = models.BooleanField(default=False, db_default=False)  # and buttons, in answers
    notifies_by_mail = models.BooleanField(default=True, db_default=True)  # its team
    mails_gaps = models.BooleanField(default=True, db_default=True)  # its owners, once a week
    gaps_mailed_at = models.DateTimeField(null=True, blank=True, editable=False)
    webhook_url = models.URLField(blank=True, default="", db_default="")
    webhook_secret = models.CharField(
        max_length=64, blank=True, default="", db_default="", editable=False
    )
    is_suspended = models.BooleanField(default=False)
    suspended_until = models.DateTimeField(null=True, blank=True, editable=False)  # None: no end
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    # Not null: hidden from everyone and being purged (chat/generations/deletion/purge.py).
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = PresentWidgetSites()
    all_objects: ClassVar[models.Manager["WidgetSite"]] = WidgetSiteQuerySet.as_manager()

    class Meta:
        verbose_name = _("website")
        verbose_name_plural = _("websites")
        indexes = [models.Index(fields=["owner", "name"], name="widget_sites_by_name")]

    def __str__(self) -> str:
        return self.name

    def save(self, **options: Any) -> None:
        """Save the site in one transaction with the log entry for a suspension or reinstatement."""
        with transaction.atomic():
            super().save(**options)


@receiver(pre_delete, sender=WidgetSite)
def _take_all_along(instance: WidgetSite, **_signal: Any) -> None:
    """Delete a site's visitors and limits with it, also when its owner's account is deleted."""
    User.all_objects.filter(visitor__site=instance).delete()
    Limit.objects.filter(site=instance.key).delete()


class SiteMember(models.Model):
    """A member of a site's team, besides `WidgetSite.owner`, who pays for it."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")  # may change everything that `WidgetSite.owner` may
        AGENT = "agent", _("Agent")  # reads and answers chats

    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="team")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="site_memberships")
    role = models.CharField(max_length=5, choices=Role.choices, default=Role.AGENT)
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["site", "user"], name="one_role_per_site_member")
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.user_id} of site {self.site_id}"


class TeamInvitation(models.Model):
    """An invitation to a site's team.

    It is for the account that had the address then, or else for one that confirms the address: on
    some sites anybody can sign up with any address.
    """

    VALID_DAYS = 14

    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField()  # lower case
    account = models.ForeignKey(
        User, null=True, on_delete=models.CASCADE, related_name="team_invitations"
    )
    role = models.CharField(max_length=5, choices=SiteMember.Role.choices)
    sent_at = models.DateTimeField(default=timezone.now, db_default=Now())
    declined_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["site", "email"], name="one_invitation_per_address")
        ]
        indexes = [models.Index(fields=["email"], name="invitations_by_address")]

    def __str__(self) -> str:
        return f"invitation {self.pk} to site {self.site_id}"

    @property
    def is_expired(self) -> bool:
        return timezone.now() - self.sent_at > timedelta(days=self.VALID_DAYS)


class SitePicture(models.Model):
    """A picture of a site's look (look/pictures.py), in bytes that never change."""

    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="pictures")
    digest = models.CharField(max_length=32)  # of `content`; its name
    kind = models.CharField(max_length=4)  # chat/lib/pictures/picture_format.py
    content = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["site", "digest"], name="one_row_per_site_picture")
        ]

    def __str__(self) -> str:
        return f"picture {self.digest} of site {self.site_id}"


class TeamProfile(models.Model):
    """How a member of a site's team appears to its visitors; without it, as "a person"."""

    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="profiles")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="team_profiles")
    name = models.CharField(max_length=PUBLIC_NAME_LENGTH)
    picture = models.ForeignKey(
        SitePicture, on_delete=models.SET_NULL, null=True, blank=True, related_name="profiles"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["site", "user"], name="one_profile_per_site_and_user")
        ]

    def __str__(self) -> str:
        return self.name


@receiver(post_delete, sender=TeamProfile)
def _delete_picture(instance: TeamProfile, **_signal: Any) -> None:
    """Delete a person's picture with the profile, unless the site shows it elsewhere."""
    if instance.picture_id is None:
        return
    look = WidgetSite.all_objects.filter(pk=instance.site_id).values_list("look", flat=True).first()
    shown = [value for value in (look or {}).values() if isinstance(value, str)]
    unused = SitePicture.objects.filter(pk=instance.picture_id, profiles=None)
    unused.exclude(digest__in=shown).delete()


class IdentityKey(models.Model):
    """A key that signs a website's user tokens; `id` is the token's `kid`."""

    class Algorithm(models.TextChoices):
        HS256 = "HS256"  # a shared secret
        EDDSA = "EdDSA"  # the public key only

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="identity_keys")
    algorithm = models.CharField(max_length=8, choices=Algorithm.choices)
    verifier = models.TextField()  # the secret, or the public key as PEM
    created_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.algorithm} key of site {self.site_id}"


class Visitor(models.Model):
    """A visitor of a site; `subject` is the website's ID for them, once it has told us."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="visitors")
    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="visitor")
    subject = models.CharField(max_length=255, blank=True)
    name = models.CharField(max_length=100, blank=True)
    agreed_at = models.DateTimeField(null=True, blank=True)  # to the site's consent text
    created_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["site", "subject"],
                condition=~models.Q(subject=""),
                name="one_visitor_of_a_subject",
            )
        ]

    def __str__(self) -> str:
        return f"visitor {self.pk}"


class VisitorToken(models.Model):
    """Proof of a visitor's identity. Only its digest is stored."""

    class Kind(models.TextChoices):
        BEARER = "bearer"  # in a page's memory, sent with each request
        COOKIE = "cookie"  # in the browser, exchanged for a new bearer token

    digest = models.CharField(max_length=64, unique=True)
    visitor = models.ForeignKey(Visitor, on_delete=models.CASCADE, related_name="tokens")
    kind = models.CharField(max_length=6, choices=Kind.choices, default=Kind.BEARER)
    device = models.UUIDField(default=uuid.uuid4, db_index=True)  # one browser on one website
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"token of visitor {self.visitor_id}"


class UsedIdentity(models.Model):
    """The `jti` of a token that was used, so that it is refused the second time."""

    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="used_identities")
    jti = models.CharField(max_length=64)  # its digest
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "jti"], name="one_use_of_a_jti")]

    def __str__(self) -> str:
        return f"used identity of site {self.site_id}"
