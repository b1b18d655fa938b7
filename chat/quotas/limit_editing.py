"""Edit the limits that staff set, one slot at a time: the same rows as in the admin.

A change applies from the next message in every process (see config_version.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction

from chat.quotas.models import Limit
from chat.quotas.units import Measure


@dataclass(frozen=True, slots=True)
class LimitSlot:
    """A set of limits that apply to the same members or visitors."""

    scope: Limit.Scope
    user_id: int | None = None
    group_id: int | None = None
    site: str = ""

    @property
    def _rows(self) -> Any:
        return Limit.objects.filter(
            scope=self.scope,
            user=self.user_id,
            group=self.group_id,
            site=self.site,
            by_owner=False,
            by_review=False,
        )

    @property
    def general(self) -> "LimitSlot | None":
        """The slot that applies besides this one to everybody like its subject, if any."""
        is_special = self.user_id or self.group_id or self.site
        return LimitSlot(self.scope) if is_special and self.scope != Limit.Scope.GROUP else None

    def amounts(self) -> dict[Measure, Decimal]:
        return {Measure(row.measure): row.amount for row in self._rows}

    @transaction.atomic
    def set(self, amounts: Mapping[Measure, Decimal | None]) -> None:
        """Replace the given limits, from the next message on; None removes one."""
        for measure, amount in amounts.items():
            rows = self._rows.filter(measure=measure)
            if amount is None:
                rows.delete()
            elif not rows.update(amount=amount):
                Limit.objects.create(
                    scope=self.scope,
                    user_id=self.user_id,
                    group_id=self.group_id,
                    site=self.site,
                    measure=measure,
                    amount=amount,
                )
