"""Reserving what an answer may cost, before it is asked for; settling what it did cost, once.

A reservation is made in the transaction that stores the send, a settlement in the one that stores
the ending: a crash leaves either both or neither.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction

from chat.quotas import charges, pauses, quota_rules
from chat.quotas import meters as metering
from chat.quotas.amounts import Amount
from chat.quotas.limits import EffectiveLimit
from chat.quotas.meters import MeterReading
from chat.quotas.models import Charge, Meter
from chat.quotas.payer import EVERYONE, Payer
from chat.quotas.quota_errors import over_limit
from chat.quotas.quota_rules import Rules
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
    present, reading = quota_rules.locked(payer)
    tokens = _granted(payer, estimate, present, reading)
    amount = estimate.cut(tokens)
    keys = payer.keys(present.groups_of(payer))
    now, meters = reading.now, {key: reading.meters[key] for key in keys}
    for meter in meters.values():
        meter.running += 1
        meter.requests += 1
        meter.add(amount, now)
        meter.reserved += amount
    metering.write(meters)
    charges.add(
        Charge(
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
    )
    return tokens


def require_left(payer: Payer, estimate: Estimate) -> None:
    """Raises what `reserve` would at this moment; takes and locks nothing.

    With an estimate of less than it will cost it refuses nobody whom `reserve` would not (by more
    than a token that is rounded).
    """
    present, reading = quota_rules.read(payer)
    _granted(payer, estimate, present, reading)


def require_message_left(payer: Payer) -> None:
    """The same for `count`."""
    _require_message(payer, *quota_rules.read(payer))


def count(payer: Payer) -> None:
    """Takes one from this minute's messages, for one that no model answers.

    Call it last in a transaction.
    """
    present, reading = quota_rules.locked(payer)
    _require_message(payer, present, reading)
    meters = {key: reading.meters[key] for key in payer.keys(present.groups_of(payer))}
    for meter in meters.values():
        meter.requests += 1
    metering.write(meters)


def _require_message(payer: Payer, present: Rules, reading: MeterReading) -> None:
    for bound in present.bounds_of(payer, reading.now):
        is_counted = bound.measure == Measure.REQUESTS
        if is_counted and bound.used(reading.meters[bound.key]) >= bound.most:
            raise over_limit(bound, reading.now)


def _granted(payer: Payer, estimate: Estimate, present: Rules, reading: MeterReading) -> int:
    """How many tokens the answer may have by what all meters leave."""
    now, meters = reading.now, reading.meters
    if until := present.paused_until(now):
        raise pauses.refusal(until, now)
    tokens = estimate.max_tokens
    for bound in present.bounds_of(payer, now):
        left = bound.most - bound.used(meters[bound.key])
        granted = estimate.granted(bound, min(left, _share(bound, meters[payer.person_key])))
        if granted < (shortest := min(SHORTEST_ANSWER_TOKENS, estimate.max_tokens)):
            later = estimate.granted(bound, left + bound.reserved(meters[bound.key]))
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


def settle(
    charge_ids: Collection[UUID], spent: Callable[[Charge], Amount] = lambda charge: charge.amount
) -> int:
    """Replaces what was reserved by what was `spent`; what is settled already stays.

    How many charges were open. Call it last in a transaction.
    """
    if not charge_ids:
        return 0
    if connection.vendor == "postgresql":
        metering.locked(())  # so that nobody else settles the same
    found = charges.open_of(charge_ids)
    if not found:
        return 0
    reading = metering.locked({key for charge in found for key in charge.keys})
    meters = {key: reading.meters[key] for charge in found for key in charge.keys}
    for charge in found:
        amount = spent(charge)
        for key in charge.keys:
            meters[key].running = max(0, meters[key].running - 1)
            meters[key].reserved -= charge.amount
            meters[key].add(amount - charge.amount, charge.created_at)
        charge.settled_at = reading.now
        charge.tokens, charge.millineurons, charge.microdollars = amount.as_tuple()
    metering.write(meters)
    charges.store_settled(found)
    return len(found)


def release(living: Collection[int]) -> int:
    """Settles what processes that are gone have left open, at the most it may have cost.

    What they did after their last word is not known; how many there were.
    """
    left = Charge.objects.filter(settled_at=None).exclude(process__in=living)
    charge_ids = list(left.values_list("pk", flat=True))
    with transaction.atomic():
        return settle(charge_ids) if charge_ids else 0


def is_open(user_id: int) -> bool:
    """Whether an answer of the member's is still to be settled."""
    return Charge.objects.filter(user=user_id, settled_at=None).exists()


@transaction.atomic
def forget(user_id: int) -> bool:
    """Takes the member off what they have paid for, a batch at a time; whether there may be more.

    What it cost stays, for the sums of groups and of all.
    """
    settled = Charge.objects.filter(user=user_id).exclude(settled_at=None)
    theirs = list(settled.order_by("pk")[:FORGOTTEN_AT_ONCE])
    for charge in theirs:
        charge.user = None
        charge.keys = [key for key in charge.keys if key == EVERYONE or key.startswith("group:")]
    Charge.objects.bulk_update(theirs, ["user", "keys"], batch_size=100)
    if len(theirs) == FORGOTTEN_AT_ONCE:
        return True
    Meter.objects.filter(key=Payer(user_id=user_id).user_key).delete()
    return False
