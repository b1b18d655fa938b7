from typing import Self

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def present(self) -> Self:
        """Return the keys that have neither been revoked nor expired."""
        lasting = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
        return self.filter(lasting, revoked_at=None)


class ApiKey(models.Model):
    """A member's key for the API, or a service key. Only a digest is stored.

    A service key has scopes, and opens only what they name of the staff's pages
    (chat/review/service_keys). A revoked key stays, without effect, so that staff can see which key
    made a call.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_keys"
    )
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=16)  # shown, so that people recognize the key
    digest = models.CharField(max_length=64, unique=True)
    # Ids of models; empty for all that the member may use.
    allowed_models = models.JSONField(default=list, blank=True)
    monthly_usd = models.DecimalField(
        max_digits=12, decimal_places=2, null=True, blank=True, validators=[MinValueValidator(0)]
    )
    # Calls are kept as conversations of the owner.
    keeps_chats = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    # Of a service key, words with a space between them; empty: it is a member's.
    scopes = models.CharField(max_length=60, blank=True, default="", db_default="")
    # What a service key is limited to, by IDs with a space between them; both empty: to nothing. As
    # plain numbers they stay when a group or website is deleted: the key then reads less, not more.
    group_ids = models.TextField(blank=True, default="", db_default="")
    site_ids = models.TextField(blank=True, default="", db_default="")

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "-id")

    def __str__(self) -> str:
        return f"API key {self.pk}"

    @property
    def is_service_key(self) -> bool:
        return bool(self.scopes)

    @property
    def is_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()
