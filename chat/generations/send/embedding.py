"""Embed texts: reserve the cost, ask the provider, settle what it was."""

import uuid

from chat.accounts.principals import Principal
from chat.conversations.prompt import estimate_tokens
from chat.database import threads
from chat.generations.billing import charging
from chat.generations.billing.pricing import amount_of, usage_of
from chat.generations.process import server_process
from chat.generations.result import Result, State
from chat.generations.send.start import process_id, run_to_completion
from chat.lib.catalogue import Model
from chat.quotas import headroom, ledger
from chat.quotas.ledger import Estimate
from chat.upstream import factory
from chat.upstream.embeddings.embedding_client import Embeddings, embed
from chat.upstream.events import Finished
from chat.upstream.rate_limit import wait_for_slot

#: Texts in one request to the provider, which is Workers AI's limit.
TEXTS_AT_ONCE = 100


async def embed_texts(principal: Principal, model: Model, texts: list[str]) -> Embeddings:
    """Return a vector for each text, within the member's limits.

    Raise `QuotaExceeded` or `UpstreamError`. `prompt_tokens` is estimated if it was not reported.
    """
    return await run_to_completion(principal, _reserve_and_embed(principal, model, texts))


async def _reserve_and_embed(principal: Principal, model: Model, texts: list[str]) -> Embeddings:
    charge_id, estimated = uuid.uuid4(), sum(map(estimate_tokens, texts))
    amount = amount_of(model, usage_of(estimated, 0))
    providers = frozenset({model.provider})
    estimate = Estimate(estimated, 1, least=amount, most=amount, providers=providers)
    if not headroom.is_ample(principal.payer):
        await threads.readers.run(ledger.check_limits, principal.payer, estimate)
    await threads.writer.run(
        charging.reserve_temporary, charge_id, principal.payer, estimate, model, process_id()
    )
    state: State = "failed"
    found = Embeddings([], None)
    try:
        found = await _in_batches(principal, model, texts, estimated)
        state = "complete"
    finally:
        usage = usage_of(found.prompt_tokens or 0, 0) if state == "complete" else None
        here = server_process.current()
        here.unsettled[charge_id] = Result.of(state, 0, 0, Finished(True, usage=usage))
        await here.settle()
    return found


async def _in_batches(
    principal: Principal, model: Model, texts: list[str], estimated: int
) -> Embeddings:
    vectors: list[list[float]] = []
    counted: int | None = 0
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        await wait_for_slot(model)
        some = texts[start : start + TEXTS_AT_ONCE]
        found = await embed(factory.client_for(model), model.provider_id, some, principal.key)
        vectors += found.vectors
        known = counted is not None and found.prompt_tokens is not None
        counted = (counted or 0) + (found.prompt_tokens or 0) if known else None
    return Embeddings(vectors, estimated if counted is None else counted)
