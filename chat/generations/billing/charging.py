"""Answers on somebody's account: what one may cost at most, and what it did cost."""

from collections.abc import Mapping
from uuid import UUID

from django.conf import settings
from django.db import transaction

from chat.conversations.prompt import PromptMessage, tokens_of
from chat.generations.billing.pricing import amount_of, spent, usage_of
from chat.generations.result import Result
from chat.lib.catalogue import Model
from chat.quotas import ledger
from chat.quotas.amounts import NOTHING, Amount
from chat.quotas.ledger import Estimate
from chat.quotas.models import Charge
from chat.quotas.payer import Payer
from chat.upstream import available_models


def estimate(
    messages: list[PromptMessage], model: Model, max_tokens: int | None = None, fallback: str = ""
) -> Estimate:
    """What answering `messages` may cost with `model`, or with the one that stands in for it."""
    wanted = min(max_tokens or settings.MAX_TOKENS, settings.MAX_TOKENS_LIMIT)
    max_tokens = model.max_answer_tokens(wanted)
    prompt_tokens = min(tokens_of(messages), model.prompt_window(max_tokens) - max_tokens)
    least = most = NOTHING
    for each in filter(None, (model, available_models.fallback(fallback))):
        least |= amount_of(each, usage_of(prompt_tokens, 0))
        most |= amount_of(each, usage_of(prompt_tokens, max_tokens))
    return Estimate(prompt_tokens, max_tokens, least, most)


@transaction.atomic
def reserve_temporary(
    generation_id: UUID, payer: Payer, estimate: Estimate, model: Model, process: int | None
) -> int:
    """As `ledger.reserve`, for an answer of which nothing else is stored."""
    return ledger.reserve(
        generation_id, payer, estimate, model=model.id, process=process, is_temporary=True
    )


def settle(endings: Mapping[UUID, Result]) -> None:
    """Each answer that ended is paid for, once. Call it last in a transaction."""

    def spent_by(charge: Charge) -> Amount:
        model = available_models.known(charge.model)
        return spent(model, charge.prompt_tokens, charge.amount, endings[charge.id])

    ledger.settle(endings.keys(), spent_by)


@transaction.atomic
def settle_temporary(endings: Mapping[UUID, Result]) -> None:
    """The same, for answers of which nothing else is stored."""
    settle(endings)
