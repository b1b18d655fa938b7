"""Reserve the maximum cost of an answer before it starts, and settle its actual cost, once.

The reservation is part of the transaction that stores the send, the settlement of the one that
stores the result. After a crash, either both or neither are stored.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from chat.lib.limits import Deadlines
from chat.quotas import charges, pauses
from chat.quotas import meters as metering
from chat.quotas import rules as quota_rules
from chat.quotas.amounts import Amount
from chat.quotas.errors import quota_exceeded
from chat.quotas.limits import EffectiveLimit
from chat.quotas.meters import MeterReading
from chat.quotas.models import Charge, Meter
from chat.quotas.payer import Payer
from chat.quotas.rules import Rules
from chat.quotas.units import KINDS, RATES, Measure

#: Refuse rather than grant fewer tokens: such a short answer is not worth requesting.
MIN_ANSWER_TOKENS = 64
#: The largest share of a shared limit that one payer's running answers may reserve together.
RESERVED_SHARE = 0.25
#: For how long limits that had much room are not read before a reservation.
AMPLE_SECONDS = 10.0

#: The payers whose limits had much room when their last answer began.
ample_limits: Deadlines[Payer] = Deadlines()


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an answer may cost: `least` if it stays empty, `most` with `max_tokens`.

    `providers` are those that may answer: the model's, and its fallback's. What is a part of
    something else, such as the search for a question, counts neither as a message nor as an answer
    that runs.
    """

    prompt_tokens: int
    max_tokens: int
    least: Amount
    most: Amount
    providers: frozenset[str] = frozenset({""})
    is_message: bool = True

    def cut(self, tokens: int) -> Amount:
        """Return the cost with at most `tokens` of answer, in proportion, rounded up."""
        extra = self.most - self.least
        return self.least + Amount(
            *(-(-each * tokens // self.max_tokens) for each in extra.as_tuple())
        )

    def granted(self, bound: EffectiveLimit, left: int) -> int:
        """Return how many answer tokens fit into what is `left` of the limit."""
        if bound.measure in RATES:
            return self.max_tokens if left >= 1 or not self.is_message else 0
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
    """Reserve the maximum cost on every meter of the payer; return how many tokens are granted.

    That is fewer than requested if no more is left. Raise `QuotaExceeded`, or `AllocationExhausted`
    while requests to the provider are paused; nothing is reserved then. Call it last in a
    transaction, because it locks the meters.
    """
    ample_limits.pop(payer, None)
    present, reading = quota_rules.locked(payer)
    tokens = granted(payer, estimate, present, reading)
    amount = estimate.cut(tokens)
    keys = payer.keys(present.groups_of(payer.user_id))
    now, meters = reading.now, {key: reading.meters[key] for key in keys}
    for meter in meters.values():
        meter.running += estimate.is_message
        meter.requests += estimate.is_message
        meter.add(amount, now)
        meter.reserved += amount
    metering.write(meters)
    charges.add(
        Charge(
            id=charge_id,
            user_id=payer.user_id,
            keys=keys,
            api_key_id=payer.api_key_id,
            process=process,
            model=model,
            is_temporary=is_temporary,
            is_message=estimate.is_message,
            prompt_tokens=estimate.prompt_tokens,
            created_at=now,
            tokens=amount.tokens,
            millineurons=amount.millineurons,
            microdollars=amount.microdollars,
        )
    )
    if _is_ample(payer, present, reading):
        ample_limits.start(payer, AMPLE_SECONDS)
    return tokens


def has_ample_limits(payer: Payer) -> bool:
    """Return whether `check_limits` can be left out, because there was much room a moment ago.

    Only `reserve` decides. Checking before merely keeps refusals off the database writer, which at
    most the first refusal after a success reaches.
    """
    return ample_limits.seconds_left(payer) > 0


def check_limits(payer: Payer, estimate: Estimate) -> None:
    """Raise what `reserve` would raise now, without reserving or locking anything.

    With an estimate below the actual cost, this may allow what `reserve` refuses, but never refuse
    what `reserve` allows (apart from rounding by one token).
    """
    present, reading = quota_rules.read(payer)
    granted(payer, estimate, present, reading)


def check_message_limit(payer: Payer) -> None:
    """Raise what `count_message` would raise now, without counting or locking anything."""
    _require_message(payer, *quota_rules.read(payer))


def count_message(payer: Payer) -> None:
    """Count a message that no model answers towards the limit per minute.

    Raise `QuotaExceeded`. Call it last in a transaction, because it locks the meters.
    """
    present, reading = quota_rules.locked(payer)
    _require_message(payer, present, reading)
    meters = {key: reading.meters[key] for key in payer.keys(present.groups_of(payer.user_id))}
    for meter in meters.values():
        meter.requests += 1
    metering.write(meters)


def _require_message(payer: Payer, present: Rules, reading: MeterReading) -> None:
    for bound in present.effective_limits(payer, reading.now):
        is_counted = bound.measure == Measure.REQUESTS
        if is_counted and bound.used(reading.meters[bound.key]) >= bound.most:
            raise quota_exceeded(bound, reading.now)


def granted(
    payer: Payer,
    estimate: Estimate,
    present: Rules,
    reading: MeterReading,
    *,
    goes_on: bool = False,
) -> int:
    """Return how many answer tokens all meters leave; raise if they are too few.

    `goes_on` says that an answer which has begun asks its model again.
    """
    now, meters = reading.now, reading.meters
    if until := present.paused_until(now, estimate.providers):
        raise pauses.pause_error(until, now)
    tokens = estimate.max_tokens
    for bound in present.effective_limits(payer, now):
        left = bound.most - bound.used(meters[bound.key])
        fitting = estimate.granted(bound, min(left, _share(bound, meters[payer.individual_key])))
        if fitting < (shortest := min(MIN_ANSWER_TOKENS, estimate.max_tokens)):
            later = estimate.granted(bound, left + bound.reserved(meters[bound.key]))
            raise quota_exceeded(bound, now, is_reserved=later >= shortest, goes_on=goes_on)
        tokens = min(tokens, fitting)
    return tokens


def _is_ample(payer: Payer, present: Rules, reading: MeterReading) -> bool:
    """Return whether half of each limit is left, and of this payer's share of it."""
    meters = reading.meters
    return all(
        2 * bound.used(meters[bound.key]) <= bound.most
        and 2 * _share(bound, meters[payer.individual_key]) >= int(bound.most * RESERVED_SHARE)
        for bound in present.effective_limits(payer, reading.now)
    )


def _share(bound: EffectiveLimit, individual: Meter) -> int:
    """Return what one payer may still reserve of a limit, so that some is left for others.

    Their first answer may reserve what it needs.
    """
    if not bound.is_shared or bound.measure in RATES or not bound.reserved(individual):
        return bound.most
    return int(bound.most * RESERVED_SHARE) - bound.reserved(individual)


def settle(
    charge_ids: Collection[UUID], spent: Callable[[Charge], Amount] = lambda charge: charge.amount
) -> set[UUID]:
    """Replace reservations by the amounts `spent`; return the charges that were open.

    Charges that are already settled stay as they are. Call it last in a transaction, because it
    locks the meters.
    """
    if not charge_ids:
        return set()
    metering.lock()  # first, so that no other process settles the same charges
    open_charges = charges.open_charges(charge_ids)
    if not open_charges:
        return set()
    keys = {key for charge in open_charges for key in charge.keys}
    reading = metering.read(keys)
    meters = {key: reading.meters[key] for key in keys}
    for charge in open_charges:
        amount = spent(charge)
        for key in charge.keys:
            meters[key].running = max(0, meters[key].running - charge.is_message)
            meters[key].reserved -= charge.reserved
            meters[key].add(amount - charge.amount, charge.created_at)
        charge.settled_at = reading.now
        charge.amount = amount
    metering.write(meters)
    charges.store_settled(open_charges)
    return {charge.pk for charge in open_charges}


def correct(charge_ids: Collection[UUID], spent: Callable[[Charge], Amount]) -> None:
    """Replace what settled charges amount to by `spent`; doing so again changes nothing.

    Call it last in a transaction, because it locks the meters.
    """
    metering.lock()
    settled = charges.settled_charges(charge_ids)
    if not settled:
        return
    reading = metering.read({key for charge in settled for key in charge.keys})
    for charge in settled:
        amount = spent(charge)
        for key in charge.keys:
            reading.meters[key].add(amount - charge.amount, charge.created_at)
        charge.amount = amount
    metering.write(reading.meters)
    charges.store_settled(settled)


def settle_orphans(living: Collection[int]) -> int:
    """Settle the open charges of processes that are gone, at the reserved maximum; return how many.

    What these answers did cost in the end is unknown. `living` are the ids of running processes.
    """
    left = Charge.objects.filter(settled_at=None).exclude(process__in=living)
    charge_ids = list(left.values_list("pk", flat=True))
    with transaction.atomic():
        return len(settle(charge_ids))
