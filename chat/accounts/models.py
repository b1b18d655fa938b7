"""Accounts: an email address and a password. Names are optional."""

import hashlib
import secrets
from datetime import timedelta
from typing import Any, ClassVar, Self

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import Group, PermissionsMixin
from django.db import models, transaction
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

#: Reserved domain (RFC 2606) that receives no mail. Members cannot have addresses in it.
VISITORS_DOMAIN = "visitor.invalid"
#: Permission flags, and their names in the record (permission_changes.py).
RIGHTS = {"is_staff": "staff", "is_superuser": "superuser"}


@models.EmailField.register_lookup
class SameAddress(models.Lookup):
    """Compare addresses as the unique constraint does: `email__same=address`.

    `iexact` isn't the same on PostgreSQL: in upper case, `ı` is `I` and `ſ` is `S`, so it takes the
    address of somebody who owns such a domain for another person's. Python's `lower` knows letters
    that a database doesn't.
    """

    lookup_name = "same"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        left, left_values = self.process_lhs(compiler, connection)
        right, right_values = self.process_rhs(compiler, connection)
        return f"LOWER({left}) = LOWER({right})", (*left_values, *right_values)


class UserQuerySet(models.QuerySet["User"]):
    def update(self, **values: Any) -> int:
        """Raise TypeError for bulk changes of permissions, which no signal would record."""
        if not RIGHTS.keys().isdisjoint(values):
            raise TypeError("rights are changed one account at a time, by saving it")
        return super().update(**values)


class UserManager(BaseUserManager["User"]):
    """Accounts of people.

    A visitor of a widget site has an account too, which only owns things: sign-in, password resets
    and lists of accounts exclude it.
    """

    def get_queryset(self) -> models.QuerySet["User"]:
        return UserQuerySet(self.model, using=self._db).filter(is_visitor=False)

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        if not email:
            raise ValueError("Accounts need an email address.")
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__same=username or "")


class User(AbstractBaseUser, PermissionsMixin):
    """A member of the site. `is_staff` gives access to the admin."""

    email = models.EmailField("email address", max_length=254, unique=True)
    name = models.CharField(max_length=100, blank=True)
    is_staff = models.BooleanField("staff", default=False)
    is_active = models.BooleanField("active", default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    preferences = models.JSONField(default=dict, blank=True, editable=False)
    # If set, the account is deleted, and its data is being removed (purge.py).
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    is_visitor = models.BooleanField(default=False, editable=False)
    # If set, it was created by sign-up and awaits approval by staff.
    pending_since = models.DateTimeField(null=True, blank=True, editable=False)
    # By staff, until `suspended_until`, or indefinitely if that is None. `is_active` says whether
    # the suspension is in effect (accounts/suspension.py).
    suspended_at = models.DateTimeField(null=True, blank=True, editable=False)
    suspended_until = models.DateTimeField(null=True, blank=True, editable=False)

    objects: ClassVar[UserManager] = UserManager()
    all_objects: ClassVar[models.Manager["User"]] = UserQuerySet.as_manager()

    EMAIL_FIELD = USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = gettext_lazy("user")
        verbose_name_plural = gettext_lazy("users")
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                name="user_email_is_unique",
                violation_error_message="An account with this email address already exists.",
            )
        ]
        indexes = [
            models.Index(
                fields=["closed_at"],
                condition=models.Q(closed_at__isnull=False),
                name="closed_accounts",
            )
        ]

    def __str__(self) -> str:
        return _("Deleted user") if self.closed_at else self.name or self.email

    def save(self, **options: Any) -> None:
        """Save in a transaction with the record of a change of permissions."""
        with transaction.atomic():
            super().save(**options)

    def get_full_name(self) -> str:
        return self.name


class SetupLinkQuerySet(models.QuerySet["SetupLink"]):
    def open(self) -> Self:
        """Return links that still work. None does once there is a superuser."""
        if User.objects.filter(is_superuser=True).exists():
            return self.none()
        return self.filter(used_at=None, created_at__gt=timezone.now() - SetupLink.LIFETIME)

    def with_token(self, token: str) -> Self:
        return self.filter(digest=digest_of(token))


class SetupLink(models.Model):
    """A one-time link to create the first superuser. Only a digest of it is stored."""

    LIFETIME = timedelta(days=1)

    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)

    objects = SetupLinkQuerySet.as_manager()

    def __str__(self) -> str:
        return f"setup link of {self.created_at:%Y-%m-%d %H:%M}"

    @classmethod
    def make(cls) -> str:
        """Return a new token, which replaces all earlier ones."""
        cls.objects.all().delete()
        token = secrets.token_urlsafe(32)
        cls.objects.create(digest=digest_of(token))
        return token


class Invitation(models.Model):
    """An invitation to create an account, once and before it expires. Only a digest is stored."""

    email = models.EmailField(max_length=254, unique=True)
    group = models.ForeignKey(Group, on_delete=models.SET_NULL, null=True, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    is_mailed = models.BooleanField(default=False)  # so having the link proves having the address
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ("-created_at", "-id")

    def __str__(self) -> str:
        return f"invitation {self.pk}"

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
