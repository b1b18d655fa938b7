"""Shared links, each with a copy of one branch that later changes do not affect.

A link is for anyone who has it or, if it is restricted, for its recipients.
"""

import hashlib
import secrets
import uuid
from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from chat.accounts import confirmed_addresses
from chat.accounts.models import User
from chat.conversations.images.models import StoredImage
from chat.conversations.models import TITLE_LENGTH, Conversation
from chat.lib.json_encoder import UnescapedJSONField


class SharedLinkQuerySet(models.QuerySet["SharedLink"]):
    def present(self) -> Self:
        """Return links whose conversation is not deleted. Restoring one restores its links."""
        return self.filter(conversation__purge_after=None)

    def open(self) -> Self:
        """Return links that work: not expired, and of an active account."""
        not_over = models.Q(expires_at=None) | models.Q(expires_at__gt=timezone.now())
        return self.present().filter(not_over, owner__is_active=True)

    def open_to(self, user_id: int | None) -> Self:
        """Return links that work for this member; None for somebody who hasn't signed in."""
        allowed = models.Q(is_restricted=False) if settings.PUBLIC_LINKS else models.Q(pk__in=[])
        if user_id is not None:
            allowed |= models.Q(owner=user_id) | models.Q(_is_recipient(user_id))
        return self.open().filter(allowed)

    def shared_with(self, user_id: int) -> Self:
        """Return working links of others that name this member or one of their groups."""
        named = self.open().filter(_is_recipient(user_id), is_restricted=True)
        return named.exclude(owner=user_id)

    def with_token(self, token: str) -> Self:
        return self.filter(digest__in=digests_of(token))


class SharedLink(models.Model):
    """A link and what it shows. Its token allows reading it, and nothing else.

    A restricted link has another digest, so that an earlier version of this code, which may run
    during an upgrade and knows no recipients, doesn't find it.

    Only a digest of the token is stored, so the database alone opens no link. The owner may want to
    copy the link again, so the token is derived from the row's id and the site's secret key
    whenever it is shown. After that key changes, old links still work but cannot be shown any more.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="shared_links")
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="shared_links"
    )
    digest = models.CharField(max_length=64, unique=True)
    title = models.CharField(max_length=TITLE_LENGTH, blank=True)
    author = models.CharField(max_length=100, blank=True)  # empty: not shown
    has_reasoning = models.BooleanField(default=False)
    has_models = models.BooleanField(default=False)
    turns = UnescapedJSONField()
    images = models.ManyToManyField(StoredImage, blank=True, related_name="shared_links")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    opened = models.PositiveIntegerField(default=0)
    is_restricted = models.BooleanField(default=False, db_default=False)  # to its recipients

    objects = SharedLinkQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["owner", "-created_at"], name="shared_links_newest_first")]
        verbose_name = _("shared link")
        verbose_name_plural = _("shared links")

    def __str__(self) -> str:
        return f"shared link {self.pk}"

    @property
    def token(self) -> str:
        """Return the token; empty if the site's secret key has changed since."""
        token = token_of(self.pk)
        digest = digest_of(token, is_restricted=self.is_restricted)
        return token if secrets.compare_digest(digest, self.digest) else ""

    @property
    def shared_by(self) -> str:
        """Return who has shared it; recipients are always told, others if the owner chose so."""
        return str(self.owner) if self.is_restricted and not self.author else self.author

    @property
    def is_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()

    @property
    def lifetime(self) -> timedelta | None:
        return self.expires_at - self.created_at if self.expires_at else None


class LinkRecipient(models.Model):
    """Whom a restricted link is for: a person by email address, or everybody in a group.

    A person is the account that had confirmed the address when it was entered, or else one that
    confirms it: on some sites anybody can sign up with any address.
    """

    link = models.ForeignKey(SharedLink, on_delete=models.CASCADE, related_name="recipients")
    email = models.EmailField(blank=True)  # lower case; empty for a group
    account = models.ForeignKey(
        User, null=True, on_delete=models.CASCADE, related_name="received_links"
    )
    group = models.ForeignKey(
        Group, null=True, on_delete=models.CASCADE, related_name="received_links"
    )
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["link", "email"],
                condition=~models.Q(email=""),
                name="one_recipient_per_address",
            ),
            models.UniqueConstraint(fields=["link", "group"], name="one_recipient_per_group"),
        ]
        indexes = [models.Index(fields=["email"], name="link_recipients_by_address")]

    def __str__(self) -> str:
        return f"recipient {self.pk} of {self.link_id}"

    @property
    def name(self) -> str:
        """Return the address or the group's name, as the link's owner sees it."""
        return self.group.name if self.group else self.email


def received_by(user_id: Any) -> models.QuerySet[LinkRecipient]:
    """Return the rows that name this member, or one of their groups as it is now.

    The ID may be a parameter of a prepared query, but no `OuterRef`, because of the subqueries.
    """
    confirmed = confirmed_addresses.lower_case_addresses(user_id)
    groups = Group.objects.filter(user=user_id)
    return LinkRecipient.objects.filter(
        models.Q(account=user_id)
        | models.Q(account=None, email__in=confirmed)
        | models.Q(group__in=groups)
    )


def _is_recipient(user_id: int) -> models.Exists:
    return models.Exists(received_by(user_id).filter(link=models.OuterRef("pk")))


def token_of(link_id: uuid.UUID) -> str:
    """Derive a link's token from its id and the site's secret key."""
    mac = salted_hmac("runnel.shared_link", str(link_id), algorithm="sha256")
    return urlsafe_b64encode(mac.digest()).decode().rstrip("=")


def digest_of(token: str, *, is_restricted: bool = False) -> str:
    """Return the digest of a token, as stored."""
    text = f"restricted:{token}" if is_restricted else token
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def digests_of(token: str) -> list[str]:
    """Return both digests that a link with this token may have."""
    return [digest_of(token), digest_of(token, is_restricted=True)]
