"""Rerank texts: reserve the cost, ask the provider, settle what it was."""

from chat.accounts.principals import Principal
from chat.conversations.prompt import estimate_tokens
from chat.generations.billing.pricing import amount_of, usage_of
from chat.generations.send.document_calls import ask_within_limits
from chat.generations.send.masking import masked_texts
from chat.lib.catalogue import Model
from chat.upstream import factory
from chat.upstream.events import Usage
from chat.upstream.rate_limit import wait_for_slot
from chat.upstream.reranking.client import rerank


async def rerank_texts(
    principal: Principal, model: Model, query: str, texts: list[str]
) -> list[float]:
    """Return how well each text answers the query, in their order; more is better.

    Raise `QuotaExceeded` or `UpstreamError`. Providers don't report what they read, so the cost is
    estimated: the model reads the query again with each text.
    """
    if not texts:
        return []
    query, *texts = await masked_texts(principal, [query, *texts])
    tokens = len(texts) * estimate_tokens(query) + sum(map(estimate_tokens, texts))
    usage = usage_of(tokens, 0)

    async def ask() -> tuple[list[float], Usage]:
        await wait_for_slot(model)
        upstream = factory.client_for(model)
        return await rerank(upstream, model.provider_id, query, texts, principal.key), usage

    amount = amount_of(model, usage)
    return await ask_within_limits(principal, model, amount, ask, tokens, is_message=False)
