"""Reserving what an answer may cost, before it is asked for; settling what it did cost, once.

A reservation is made in the transaction that stores the send, a settlement in the one that stores
the ending: a crash leaves either both or neither.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import Group
from django.db import transaction

from chat.quotas import meters as metering
from chat.quotas.amounts import Amount
from chat.quotas.limits import EffectiveLimit, bounds_of
from chat.quotas.models import Charge, Limit, Meter
from chat.quotas.pauses import require_none
from chat.quotas.payer import EVERYONE, Payer
from chat.quotas.quota_errors import over_limit
from chat.quotas.units import KINDS, RATES, Measure

#: An answer that would have to be shorter is not worth asking for.
SHORTEST_ANSWER_TOKENS = 64
#: Of what they share with others, one person's running answers hold so much together at most.
RESERVED_SHARE = 0.25
FORGOTTEN_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an answer may cost: at `least` if not a word comes, at `most` with `max_tokens`."""

    prompt_tokens: int
    max_tokens: int
    least: Amount
    most: Amount

    def cut(self, tokens: int) -> Amount:
        """With `tokens` at most; in proportion, rounded up."""
        extra = self.most - self.least
        return self.least + Amount(
            *(-(-each * tokens // self.max_tokens) for each in extra.as_tuple())
        )

    def granted(self, bound: EffectiveLimit, left: int) -> int:
        """How many tokens of answer there is room for where so much of `bound` is left."""
        if bound.measure in RATES:
            return self.max_tokens if left >= 1 else 0
        column = KINDS[bound.measure].column
        least, most = getattr(self.least, column), getattr(self.most, column)
        if most <= left:
            return self.max_tokens
        return max(0, (left - least) * self.max_tokens // (most - least)) if most > least else 0


def groups_of(payer: Payer) -> list[int]:
    if payer.user_id is None:
        return []
    return list(Group.objects.filter(user=payer.user_id).values_list("pk", flat=True))


def reserve(
    charge_id: UUID,
    payer: Payer,
    estimate: Estimate,
    *,
    model: str,
    process: int | None,
    is_temporary: bool = False,
) -> int:
    """Takes the most it may cost from every meter; how many tokens the answer may have.

    Fewer than asked for, if that is what is left. Raises `QuotaExceeded`, or `AllocationSpent`
    while the model's service is paused, having taken nothing. Call it last in a transaction.
    """
    group_ids = groups_of(payer)
    keys = payer.keys(group_ids)
    bounds = bounds_of(payer, group_ids, Limit.objects.present())
    now, meters = metering.locked(keys)
    tokens = _granted(payer, estimate, bounds, now, meters)
    amount = estimate.cut(tokens)
    for meter in meters.values():
        meter.running += 1
        meter.requests += 1
        meter.add(amount, now)
        meter.reserved += amount
    metering.write(meters)
    Charge.objects.create(
        id=charge_id,
        user_id=payer.user_id,
        keys=keys,
        process=process,
        model=model,
        is_temporary=is_temporary,
        prompt_tokens=estimate.prompt_tokens,
        created_at=now,
        tokens=amount.tokens,
        millineurons=amount.millineurons,
        microdollars=amount.microdollars,
    )
    return tokens


def require_left(payer: Payer, estimate: Estimate) -> None:
    """Raises what `reserve` would at this moment; takes and locks nothing.

    With an estimate of less than it will cost it refuses nobody whom `reserve` would not (by more
    than a token that is rounded).
    """
    group_ids = groups_of(payer)
    bounds = bounds_of(payer, group_ids, Limit.objects.present())
    now, meters = metering.read(payer.keys(group_ids))
    _granted(payer, estimate, bounds, now, meters)


def require_message_left(payer: Payer) -> None:
    """The same for `count`."""
    group_ids = groups_of(payer)
    now, meters = metering.read(payer.keys(group_ids))
    _require_message(_message_bounds(payer, group_ids), now, meters)


def count(payer: Payer) -> None:
    """Takes one from this minute's messages, for one that no model answers.

    Call it last in a transaction.
    """
    group_ids = groups_of(payer)
    bounds = _message_bounds(payer, group_ids)
    now, meters = metering.locked(payer.keys(group_ids))
    _require_message(bounds, now, meters)
    for meter in meters.values():
        meter.requests += 1
    metering.write(meters)


def _message_bounds(payer: Payer, group_ids: list[int]) -> list[EffectiveLimit]:
    return bounds_of(payer, group_ids, Limit.objects.filter(measure=Measure.REQUESTS))


def _require_message(
    bounds: list[EffectiveLimit], now: datetime, meters: Mapping[str, Meter]
) -> None:
    for bound in bounds:
        if bound.used(meters[bound.key]) >= bound.most:
            raise over_limit(bound, now)


def _granted(
    payer: Payer,
    estimate: Estimate,
    bounds: list[EffectiveLimit],
    now: datetime,
    meters: Mapping[str, Meter],
) -> int:
    """How many tokens the answer may have by what all meters leave."""
    require_none(now)
    tokens = estimate.max_tokens
    for bound in bounds:
        meter = meters[bound.key]
        left = bound.most - bound.used(meter)
        granted = estimate.granted(bound, min(left, _share(bound, meters[payer.person_key])))
        if granted < (shortest := min(SHORTEST_ANSWER_TOKENS, estimate.max_tokens)):
            later = estimate.granted(bound, left + bound.reserved(meter))
            raise over_limit(bound, now, is_reserved=later >= shortest)
        tokens = min(tokens, granted)
    return tokens


def _share(bound: EffectiveLimit, person: Meter) -> int:
    """What one person may still reserve of `bound`, so that others are not refused meanwhile.

    Their first answer may take what it needs.
    """
    if not bound.is_shared or bound.measure in RATES or not bound.reserved(person):
        return bound.most
    return int(bound.most * RESERVED_SHARE) - bound.reserved(person)


def open_charges(charge_ids: Collection[UUID]) -> list[Charge]:
    """Those of `charge_ids` that are not settled yet."""
    return list(Charge.objects.filter(id__in=charge_ids, settled_at=None))


def settle(spent: Mapping[UUID, Amount]) -> None:
    """Replaces what was reserved by what was spent; what is settled already stays.

    Call it last in a transaction.
    """
    if not spent:
        return
    metering.locked([])  # so that nobody else settles the same
    charges = open_charges(spent.keys())
    now, meters = metering.locked({key for charge in charges for key in charge.keys})
    for charge in charges:
        amount = spent[charge.id]
        for key in charge.keys:
            meters[key].running = max(0, meters[key].running - 1)
            meters[key].reserved -= charge.amount
            meters[key].add(amount - charge.amount, charge.created_at)
        charge.settled_at = now
        charge.tokens, charge.millineurons, charge.microdollars = amount.as_tuple()
    metering.write(meters)
    Charge.objects.bulk_update(
        charges, ["settled_at", "tokens", "millineurons", "microdollars"], batch_size=100
    )


def release(living: Collection[int]) -> int:
    """Settles what processes that are gone have left open, at the most it may have cost.

    What they did after their last word is not known; how many there were.
    """
    left = Charge.objects.filter(settled_at=None).exclude(process__in=living)
    spent = {charge.id: charge.amount for charge in left}
    if spent:
        with transaction.atomic():
            settle(spent)
    return len(spent)


def is_open(user_id: int) -> bool:
    """Whether an answer of the member's is still to be settled."""
    return Charge.objects.filter(user=user_id, settled_at=None).exists()


@transaction.atomic
def forget(user_id: int) -> bool:
    """Takes the member off what they have paid for, a batch at a time; whether there may be more.

    What it cost stays, for the sums of groups and of all.
    """
    settled = Charge.objects.filter(user=user_id).exclude(settled_at=None)
    charges = list(settled.order_by("pk")[:FORGOTTEN_AT_ONCE])
    for charge in charges:
        charge.user = None
        charge.keys = [key for key in charge.keys if key == EVERYONE or key.startswith("group:")]
    Charge.objects.bulk_update(charges, ["user", "keys"], batch_size=100)
    if len(charges) == FORGOTTEN_AT_ONCE:
        return True
    Meter.objects.filter(key=Payer(user_id=user_id).user_key).delete()
    return False
