"""Determine which limits apply to a payer."""

from collections.abc import Iterable
from dataclasses import dataclass

from chat.quotas.models import Limit, Meter
from chat.quotas.payer import EVERYONE, Payer, group_key
from chat.quotas.units import KINDS, RATES, Measure

Scope = Limit.Scope
SHARED = frozenset(
    {Scope.EVERYONE, Scope.GROUP, Scope.VISITORS, Scope.SITE, Scope.SITE_ADDRESS, Scope.ADDRESS}
)


@dataclass(frozen=True, slots=True)
class EffectiveLimit:
    """A limit of `most` on the meter `key`, in the smallest parts of the measure's unit."""

    key: str
    scope: Scope
    measure: Measure
    most: int
    is_of_api_key: bool = False

    @property
    def is_shared(self) -> bool:
        """Return whether others use up the limit too."""
        return self.scope in SHARED

    def used(self, meter: Meter) -> int:
        return int(getattr(meter, KINDS[self.measure].column))

    def reserved(self, meter: Meter) -> int:
        """Return how much of the usage is reserved, and is returned if answers turn out cheaper."""
        return 0 if self.measure in RATES else getattr(meter.reserved, KINDS[self.measure].column)


def effective_limits(
    payer: Payer, group_ids: list[int], limits: Iterable[Limit]
) -> list[EffectiveLimit]:
    """Return all limits that apply to `payer`, a member of these groups."""
    chosen: dict[tuple[str, str, bool, bool], tuple[int, Limit]] = {}
    for limit in limits:
        key = _key(limit, payer, group_ids)
        if not key:
            continue
        place = key, limit.measure, limit.by_owner, limit.by_review
        before, rank = chosen.get(place), _rank(limit)
        if before is None or (rank, limit.amount) > (before[0], before[1].amount):
            chosen[place] = rank, limit
    bounds = [_bound(key, limit) for (key, *_), (_, limit) in chosen.items()]
    return [*bounds, *_bounds_of_api_key(payer)]


def _bounds_of_api_key(payer: Payer) -> list[EffectiveLimit]:
    """Return the limit that the member has set for the API key in use, if any."""
    most = payer.api_key_microdollars
    if most is None:
        return []
    key = payer.api_key_key
    return [EffectiveLimit(key, Scope.MEMBER, Measure.DOLLARS, most, is_of_api_key=True)]


def _key(limit: Limit, payer: Payer, group_ids: list[int]) -> str:
    """Return the key of the meter that `limit` applies to; empty if it is not for this payer."""
    match limit.scope:
        case Scope.EVERYONE:
            return EVERYONE
        case Scope.GROUP:
            return group_key(limit.group_id) if limit.group_id in group_ids else ""
        case Scope.MEMBER:
            is_other = limit.user_id and limit.user_id != payer.user_id
            is_outside = limit.group_id and limit.group_id not in group_ids
            return "" if is_other or is_outside else payer.user_key
        case Scope.VISITORS:
            return payer.visitors_key
        case Scope.SITE:
            return payer.site_key if limit.site in {"", payer.site} else ""
        case Scope.VISITOR:
            return payer.visitor_key if limit.site in {"", payer.site} else ""
        case Scope.SITE_ADDRESS:
            return payer.site_address_key if limit.site in {"", payer.site} else ""
        case Scope.EVALUATION:
            return payer.evaluation_key
        case _:
            return payer.address_key


def _rank(limit: Limit) -> int:
    """Return how specific the limit is. Of equally specific ones, the most generous applies."""
    return 2 if limit.user_id or limit.site else 1 if limit.group_id else 0


def _bound(key: str, limit: Limit) -> EffectiveLimit:
    measure = Measure(limit.measure)
    return EffectiveLimit(
        key, Scope(limit.scope), measure, int(limit.amount * KINDS[measure].parts)
    )
