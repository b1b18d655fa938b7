"""Shared links, each with a copy of one branch that later changes do not affect."""

import hashlib
import secrets
import uuid
from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import Self

from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

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

    def with_token(self, token: str) -> Self:
        return self.filter(digest=digest_of(token))


class SharedLink(models.Model):
    """A link and what it shows. Its token allows reading it, and nothing else.

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
        return token if secrets.compare_digest(digest_of(token), self.digest) else ""

    @property
    def is_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()

    @property
    def lifetime(self) -> timedelta | None:
        return self.expires_at - self.created_at if self.expires_at else None


def token_of(link_id: uuid.UUID) -> str:
    """Derive a link's token from its id and the site's secret key."""
    mac = salted_hmac("runnel.shared_link", str(link_id), algorithm="sha256")
    return urlsafe_b64encode(mac.digest()).decode().rstrip("=")


def digest_of(token: str) -> str:
    """Return the digest of a token, as stored."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
