"""Limits, the usage counted against them, and the charge of each answer."""

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.quotas.amounts import NOTHING, Amount
from chat.quotas.units import Measure, window_start


class LimitQuerySet(models.QuerySet["Limit"]):
    def present(self) -> Self:
        """Return the limits that have not expired."""
        return self.exclude(expires_at__lte=timezone.now())


class Limit(models.Model):
    """At most `amount` of `measure` for `scope`. Without a row there is no limit.

    Of the limits for each member the most specific applies: the member's own, else the most
    generous of their groups', else the general one. The same holds for visitors of a site. All
    other limits apply in addition, as do those set by a website's owner or in a review, which can
    only be stricter.
    """

    class Scope(models.TextChoices):
        EVERYONE = "everyone", _("everyone combined")
        GROUP = "group", _("members of a group combined")
        MEMBER = "member", _("each member")
        SITE = "site", _("each website")
        VISITORS = "visitors", _("visitors of all websites combined")
        VISITOR = "visitor", _("each visitor of a website")
        SITE_ADDRESS = "site_address", _("visitors of a website with the same IP address")
        ADDRESS = "address", _("each IP address")
        EVALUATION = "evaluation", _("runs that evaluate models")

    scope = models.CharField(_("applies to"), max_length=12, choices=Scope.choices)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True,
        verbose_name=_("only this member"), related_name="limits",
    )  # fmt: skip
    group = models.ForeignKey(
        Group, on_delete=models.CASCADE, null=True, blank=True, verbose_name=_("group")
    )
    site = models.CharField(_("only this website"), max_length=64, blank=True)
    by_owner = models.BooleanField(_("by an administrator"), default=False, editable=False)
    # Set by a review, until `expires_at`: chat/review/moderation/personal_limits.py.
    by_review = models.BooleanField(_("by a reviewer"), default=False, editable=False)
    expires_at = models.DateTimeField(_("until"), null=True, blank=True, editable=False)
    measure = models.CharField(_("metric"), max_length=10, choices=Measure.choices)
    amount = models.DecimalField(
        _("maximum"), max_digits=16, decimal_places=2, validators=[MinValueValidator(0)]
    )

    objects = LimitQuerySet.as_manager()

    class Meta:
        verbose_name = _("limit")
        verbose_name_plural = _("limits")
        constraints = [
            models.UniqueConstraint(
                "scope", "measure", "site", "by_owner", "by_review",
                Coalesce("user", 0), Coalesce("group", 0),
                name="one_limit_of_a_kind",
                violation_error_message=_("This limit already exists. Edit it instead."),
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.get_scope_display()}: {self.amount:g} {self.get_measure_display()}"

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        """Validate the hidden fields as well, which are part of the unique constraint."""
        super().validate_constraints(exclude=set(exclude or ()) - {"by_owner", "by_review"})

    def clean(self) -> None:
        """Require a group where one is needed, and reject fields that the scope does not use."""
        scopes = self.Scope
        errors: dict[str, Any] = {}
        if self.scope == scopes.GROUP and not self.group_id:
            errors["group"] = _("Choose the group.")
        if self.group_id and self.scope not in {scopes.GROUP, scopes.MEMBER}:
            errors["group"] = _("Choose a group only for limits on group members.")
        if self.user_id and (self.scope != scopes.MEMBER or self.group_id):
            errors["user"] = _("Choose a member only with “each member”, and without a group.")
        if self.site and self.scope not in {scopes.SITE, scopes.VISITOR, scopes.SITE_ADDRESS}:
            errors["site"] = _("Choose a website only for limits on websites or visitors.")
        if errors:
            raise ValidationError(errors)


class Meter(models.Model):
    """The usage of one key in the current minute, day and month. Older usage counts as 0.

    It includes what is reserved for running answers.
    """

    key = models.CharField(max_length=150, primary_key=True)
    running = models.PositiveIntegerField(default=0)
    reserved_tokens = models.BigIntegerField(default=0)
    reserved_millineurons = models.BigIntegerField(default=0)
    reserved_microdollars = models.BigIntegerField(default=0)
    minute = models.DateTimeField(null=True)
    requests = models.PositiveIntegerField(default=0)
    day = models.DateTimeField(null=True)
    tokens = models.BigIntegerField(default=0)
    millineurons = models.BigIntegerField(default=0)
    month = models.DateTimeField(null=True)
    microdollars = models.BigIntegerField(default=0)
    used_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return self.key

    def advance(self, now: datetime) -> None:
        """Reset the counts of an earlier minute, day or month."""
        if self.minute != (minute := window_start("minute", now)):
            self.minute, self.requests = minute, 0
        if self.day != (day := window_start("day", now)):
            self.day, self.tokens, self.millineurons = day, 0, 0
        if self.month != (month := window_start("month", now)):
            self.month, self.microdollars = month, 0
        self.used_at = now

    @property
    def reserved(self) -> Amount:
        return Amount(self.reserved_tokens, self.reserved_millineurons, self.reserved_microdollars)

    @reserved.setter
    def reserved(self, amount: Amount) -> None:
        amount |= NOTHING
        self.reserved_tokens, self.reserved_millineurons, self.reserved_microdollars = (
            amount.as_tuple()
        )

    def add(self, amount: Amount, at: datetime) -> None:
        """Add to the day and month of `at`, if these are still the current ones.

        The result is never negative, in case the meter was reset meanwhile.
        """
        if self.day == window_start("day", at):
            self.tokens = max(0, self.tokens + amount.tokens)
            self.millineurons = max(0, self.millineurons + amount.millineurons)
        if self.month == window_start("month", at):
            self.microdollars = max(0, self.microdollars + amount.microdollars)


class Charge(models.Model):
    """The cost of one answer: first the reserved maximum, then the actual amount. Contains no text.

    It is open until the answer ends. `process` says which process runs it, so that the charges of
    dead processes can be settled.
    """

    # Same as the generation's.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="charges"
    )
    keys = models.JSONField()  # of the meters it counts towards
    # The key of a call to the API; None for answers on the site's pages.
    api_key = models.ForeignKey(
        "chat.ApiKey", on_delete=models.SET_NULL, null=True, related_name="charges"
    )
    process = models.PositiveBigIntegerField(null=True)
    model = models.CharField(max_length=200)
    is_temporary = models.BooleanField(default=False)
    # Or else a part of something, such as a title: no limit on messages and answers counts it.
    is_message = models.BooleanField(default=True, db_default=True)
    # Of the request to the model that runs, estimated. 0 between the requests of one answer.
    prompt_tokens = models.PositiveIntegerField()
    created_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    tokens = models.BigIntegerField()
    millineurons = models.BigIntegerField()
    microdollars = models.BigIntegerField()
    # Of that, what requests before the one that runs have used (next_requests.py).
    used_tokens = models.BigIntegerField(default=0, db_default=0)
    used_millineurons = models.BigIntegerField(default=0, db_default=0)
    used_microdollars = models.BigIntegerField(default=0, db_default=0)

    class Meta:
        indexes = [
            models.Index(
                fields=["process"],
                condition=models.Q(settled_at=None),
                name="open_charges",
            ),
            models.Index(fields=["created_at"], name="charges_by_time"),
        ]

    def __str__(self) -> str:
        return f"charge {self.pk}"

    @property
    def amount(self) -> Amount:
        return Amount(self.tokens, self.millineurons, self.microdollars)

    @amount.setter
    def amount(self, amount: Amount) -> None:
        self.tokens, self.millineurons, self.microdollars = amount.as_tuple()

    @property
    def used(self) -> Amount:
        return Amount(self.used_tokens, self.used_millineurons, self.used_microdollars)

    @used.setter
    def used(self, amount: Amount) -> None:
        self.used_tokens, self.used_millineurons, self.used_microdollars = amount.as_tuple()

    @property
    def reserved(self) -> Amount:
        """Return what is returned if the request that runs costs nothing."""
        return self.amount - self.used


class UpstreamPace(models.Model):
    """When the next request to a provider, or to a model with its own limit, is due.

    `provider` is the provider's name, which is empty for the one in the settings; for a model, it
    is followed by a space and the model's id.
    """

    provider = models.CharField(max_length=300, unique=True, default="", db_default="")
    free_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"free at {self.free_at}"


class UpstreamPause(models.Model):
    """A provider refuses all requests until this time, so none are sent."""

    provider = models.CharField(max_length=100, blank=True, default="", db_default="")
    until = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("model provider pause")
        verbose_name_plural = _("model provider pauses")

    def __str__(self) -> str:
        return f"until {self.until:%Y-%m-%d %H:%M} UTC"


class ConfigVersion(models.Model):
    """A single row, written by triggers: see config_version.py."""

    version = models.BigIntegerField()

    def __str__(self) -> str:
        return str(self.version)
