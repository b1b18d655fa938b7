"""Estimate, reserve and settle the cost of answers."""

from collections.abc import Mapping
from uuid import UUID

from django.conf import settings
from django.db import transaction

from chat.conversations.prompt import PromptMessage, estimate_prompt_tokens
from chat.generations.billing.pricing import amount_of, spent, usage_of
from chat.generations.result import Result
from chat.lib.catalogue import Model, ProvidedModel
from chat.quotas import ledger, next_requests
from chat.quotas.amounts import NOTHING, Amount
from chat.quotas.ledger import Estimate
from chat.quotas.models import Charge
from chat.quotas.payer import Payer
from chat.upstream import available_models


def estimate(
    messages: list[PromptMessage],
    model: Model,
    max_tokens: int | None = None,
    fallback: str | None = "",
) -> Estimate:
    """Return the prompt tokens of `messages` and the least and most that answering them may cost.

    Both bounds cover `model` and its fallback (None: there is none), whichever is dearer.
    `max_tokens` is capped at `MAX_TOKENS_LIMIT` and at what the model can write.
    """
    wanted = min(max_tokens or settings.MAX_TOKENS, settings.MAX_TOKENS_LIMIT)
    max_tokens = model.max_answer_tokens(wanted)
    prompt_tokens = min(
        estimate_prompt_tokens(messages), model.prompt_window(max_tokens) - max_tokens
    )
    least = most = NOTHING
    other = None if fallback is None else available_models.fallback(fallback)
    answering = [model, other] if other else [model]
    for each in answering:
        least |= amount_of(each, usage_of(prompt_tokens, 0))
        most |= amount_of(each, usage_of(prompt_tokens, max_tokens))
    providers = frozenset(each.provider for each in answering)
    return Estimate(prompt_tokens, max_tokens, least, most, providers)


@transaction.atomic
def reserve_temporary(
    generation_id: UUID, payer: Payer, estimate: Estimate, model: ProvidedModel, process: int | None
) -> int:
    """Reserve the cost of a temporary answer; return the granted `max_tokens`.

    Like `ledger.reserve`, for an answer whose text is not stored.
    """
    return ledger.reserve(
        generation_id, payer, estimate, model=model.id, process=process, is_temporary=True
    )


@transaction.atomic
def extend(generation_id: UUID, payer: Payer, estimate: Estimate) -> int:
    """Reserve the cost of asking the model once more; return the granted `max_tokens`."""
    return next_requests.extend(generation_id, payer, estimate)


def note_used(generation_id: UUID, used: Amount) -> None:
    """Note what the requests of a running answer have used. Call it last in a transaction."""
    next_requests.note_used(generation_id, used)


def settle(results: Mapping[UUID, Result]) -> set[UUID]:
    """Charge each ended answer once; return the ids of those that this call charged.

    Others were charged before. Call it last in a transaction, because it locks the meters.
    """

    def spent_by(charge: Charge) -> Amount:
        result = results[charge.id]
        model = _model(charge, result)
        return spent(model, charge.prompt_tokens, charge.amount, charge.used, result)

    return ledger.settle(results.keys(), spent_by)


def correct(results: Mapping[UUID, Result]) -> None:
    """Charge answers that another process settled by what it knew at what they did cost.

    Call it last in a transaction, because it locks the meters.
    """

    def spent_by(charge: Charge) -> Amount:
        result = results[charge.id]
        return spent(_model(charge, result), charge.prompt_tokens, None, charge.used, result)

    if results:
        ledger.correct(results.keys(), spent_by)


@transaction.atomic
def settle_temporary(results: Mapping[UUID, Result]) -> None:
    """Charge temporary answers, whose text is not stored, in a transaction of their own.

    Those that another process settled at their maximum are corrected.
    """
    charged = settle(results)
    correct({key: result for key, result in results.items() if key not in charged})


def charged_microdollars(generation_id: UUID) -> int:
    """Return what an ended answer was charged for, whether it failed or not."""
    charges = Charge.objects.filter(pk=generation_id)
    return charges.values_list("microdollars", flat=True).first() or 0


def _model(charge: Charge, result: Result) -> Model | None:
    """Return the model to charge for: the one that answered, else the one that was asked."""
    last = result.last_request or result
    return available_models.priced(last.answered_by or charge.model, last.routed_to)
