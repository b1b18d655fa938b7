"""Define models whose rows can only be added and read. Triggers enforce it in the database."""

from typing import Any, NoReturn, TypeVar

from django.db import models
from django.utils import timezone

Row = TypeVar("Row", bound=models.Model, covariant=True)


class AppendOnlyViolation(Exception):
    """Code tried to change or delete an append-only row."""


class AppendOnlyQuerySet(models.QuerySet[Row]):
    def update(self, **_values: Any) -> NoReturn:
        raise AppendOnlyViolation

    def bulk_update(self, *_args: Any, **_options: Any) -> NoReturn:
        raise AppendOnlyViolation

    def delete(self) -> NoReturn:
        raise AppendOnlyViolation


class AppendOnly(models.Model):
    """A row that cannot be changed. List its table in `append_only_triggers.TABLES`."""

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyViolation
        super().save(*args, **options)

    def delete(self, *_args: Any, **_options: Any) -> NoReturn:
        raise AppendOnlyViolation


class SealedRow(AppendOnly):
    """A row of the audit log, covered by the seal of its day."""

    at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True
