"""Charge for answers that have ended, as if a model had given them."""

import uuid

from django.db import transaction

from chat.quotas import ledger
from chat.quotas.amounts import Amount
from chat.quotas.ledger import Estimate
from chat.quotas.payer import Payer


def spend(payer: Payer, dollars: float = 0, tokens: int = 1) -> None:
    charge_id = reserve(payer, dollars, tokens)
    amount = Amount(tokens, 0, round(dollars * 1_000_000))
    with transaction.atomic():
        ledger.settle([charge_id], lambda _: amount)


def reserve(payer: Payer, dollars: float = 0, tokens: int = 1) -> uuid.UUID:
    """Let an answer run that may cost so much; return its ID."""
    charge_id, amount = uuid.uuid4(), Amount(tokens, 0, round(dollars * 1_000_000))
    with transaction.atomic():
        ledger.reserve(charge_id, payer, Estimate(0, 1, amount, amount), model="m", process=1)
    return charge_id
