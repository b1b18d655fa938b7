"""Set the limits that owners choose for their sites, in the common table of limits."""

from decimal import Decimal

from django.db import transaction

from chat.quotas.models import Limit
from chat.quotas.units import Measure
from chat.widget_sites.models import WidgetSite

Place = tuple[str, str]  # scope and measure
PLACES: tuple[Place, ...] = (
    (Limit.Scope.VISITOR, Measure.REQUESTS),
    (Limit.Scope.VISITOR, Measure.TOKENS),
    (Limit.Scope.SITE, Measure.REQUESTS),
    (Limit.Scope.SITE, Measure.TOKENS),
    (Limit.Scope.SITE, Measure.DOLLARS),
)


def limits_of(site: WidgetSite) -> dict[Place, Decimal]:
    """Return the limits that the owner has set."""
    rows = Limit.objects.filter(site=site.key, by_owner=True)
    return {(row.scope, row.measure): row.amount for row in rows}


def limits_of_staff(site_key: str) -> dict[Place, Decimal]:
    """Return the limits that staff have set, of which those for this site come first.

    They apply in addition to the owner's, so a higher one of the owner's has no effect.
    """
    rows = Limit.objects.present().filter(
        site__in={"", site_key}, by_owner=False, by_review=False, user=None, group=None
    )
    found: dict[Place, Decimal] = {}
    for row in sorted(rows, key=lambda row: (row.site, row.amount)):
        found[row.scope, row.measure] = row.amount
    return {place: found[place] for place in PLACES if place in found}


@transaction.atomic
def set_limits(site: WidgetSite, amounts: dict[Place, float | None]) -> None:
    """Replace the owner's limits, from the next message on; None means no limit."""
    Limit.objects.filter(site=site.key, by_owner=True).delete()
    Limit.objects.bulk_create(
        Limit(
            scope=scope, measure=measure, site=site.key, by_owner=True, amount=Decimal(str(amount))
        )
        for (scope, measure), amount in amounts.items()
        if amount is not None
    )
