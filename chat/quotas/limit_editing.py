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
class InheritedLimit:
    """A limit that applies while a more specific one is missing, and whose it is."""

    amount: Decimal
    whose: str


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

    def inherited(self) -> "dict[Measure, InheritedLimit]":
        """Return what limits its subject where this slot has no limit of its own."""
        if not (self.user_id or self.group_id or self.site):
            return {}
        is_shared = self.scope == Limit.Scope.GROUP
        general = LimitSlot(Limit.Scope.EVERYONE if is_shared else self.scope)
        whose = str(general.scope.label)
        limits = {each: InheritedLimit(it, whose) for each, it in general.amounts().items()}
        return limits | (_most_generous_of_groups(self.user_id) if self.user_id else {})

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


def _most_generous_of_groups(user_id: int) -> dict[Measure, InheritedLimit]:
    """Return the limits that the groups of a member set for each of their members."""
    rows = Limit.objects.present().filter(
        scope=Limit.Scope.MEMBER,
        group__user=user_id,
        site="",
        by_owner=False,
        by_review=False,
    )
    rows = rows.select_related("group").order_by("amount")  # the last of a measure is kept
    return {
        Measure(row.measure): InheritedLimit(row.amount, row.group.name if row.group else "")
        for row in rows
    }
