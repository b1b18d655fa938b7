"""Charge an answer that asks its model more than once, as tools make it do.

Its charge is what its earlier requests have used, and the most that the present one may cost. So
what an earlier request has reserved and not used is free again before the next one is sent.
"""

from dataclasses import replace
from uuid import UUID

from chat.errors import Conflict
from chat.quotas import charges, ledger
from chat.quotas import meters as metering
from chat.quotas import rules as quota_rules
from chat.quotas.amounts import Amount
from chat.quotas.ledger import Estimate
from chat.quotas.models import Charge, Meter
from chat.quotas.payer import Payer


def note_used(charge_id: UUID, used: Amount) -> None:
    """Note what the requests of an open charge have used so far, before anything else happens.

    From here on the charge is never less, whatever becomes of this process. What the last one has
    reserved stays reserved, so that no other answer takes it from this one. Call it last in a
    transaction, because it locks the meters. Doing so again changes nothing.
    """
    metering.lock()
    charge = _open(charge_id)
    used |= charge.used
    meters = metering.read(charge.keys).meters
    _change(charge, meters, used, charge.amount | used)  # providers may count more than estimated
    _store(charge, meters, prompt_tokens=0)


def extend(charge_id: UUID, payer: Payer, estimate: Estimate) -> int:
    """Reserve the next request instead of the last one; return how many tokens are granted.

    It counts as no further message. Raise what `reserve` raises, or `Conflict` if the answer has
    ended; the charge stays as it is then. Call it last in a transaction, because it locks the
    meters.
    """
    ledger.ample_limits.pop(payer, None)
    present, reading = quota_rules.locked(payer)
    charge = _open(charge_id)
    # The groups of a member may have changed meanwhile.
    others = set(charge.keys) - reading.meters.keys()
    meters = {**reading.meters, **(metering.read(others).meters if others else {})}
    _change(charge, meters, charge.used, charge.used)
    left = replace(reading, meters=meters)
    estimate = replace(estimate, is_message=False)
    tokens = ledger.granted(payer, estimate, present, left, goes_on=True)
    _change(charge, meters, charge.used, charge.used + estimate.cut(tokens))
    _store(charge, meters, estimate.prompt_tokens)
    return tokens


def _open(charge_id: UUID) -> Charge:
    charge = next(iter(charges.open_charges([charge_id])), None)
    if charge is None:
        raise Conflict(detail="the answer has ended")
    return charge


def _change(charge: Charge, meters: dict[str, Meter], used: Amount, amount: Amount) -> None:
    """Change what an open charge amounts to, and how much of it has been used."""
    for key in charge.keys:
        meters[key].add(amount - charge.amount, charge.created_at)
        meters[key].reserved += (amount - used) - charge.reserved
    charge.amount, charge.used = amount, used


def _store(charge: Charge, meters: dict[str, Meter], prompt_tokens: int) -> None:
    metering.write({key: meters[key] for key in charge.keys})
    charges.store_used(charge, prompt_tokens)
