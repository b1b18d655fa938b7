"""Rows that are added and read, and nothing else. Against the rest databases have triggers."""

from typing import Any, NoReturn, TypeVar

from django.db import models
from django.utils import timezone

Row = TypeVar("Row", bound=models.Model, covariant=True)


class AppendOnlyViolation(Exception):
    """Somebody tried to change or to remove a row of the record."""


class AppendOnlyQuerySet(models.QuerySet[Row]):
    def update(self, **_values: Any) -> NoReturn:
        raise AppendOnlyViolation

    def bulk_update(self, *_args: Any, **_options: Any) -> NoReturn:
        raise AppendOnlyViolation

    def delete(self) -> NoReturn:
        raise AppendOnlyViolation


class AppendOnly(models.Model):
    """A row that is added once and stays. Its table stands in `append_only.TABLES`."""

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
    """One row of the record, which is in the seal of its day."""

    at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True
