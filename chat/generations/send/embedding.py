"""Embed texts: reserve the cost, ask the provider, settle what it was."""

from chat.accounts.principals import Principal
from chat.conversations.prompt import estimate_tokens
from chat.generations.billing.pricing import amount_of, usage_of
from chat.generations.send.document_calls import ask_within_limits
from chat.generations.send.masking import masked_each
from chat.lib.catalogue import Model
from chat.upstream import factory
from chat.upstream.embeddings.client import Embeddings, Vector, embed
from chat.upstream.events import Usage
from chat.upstream.rate_limit import wait_for_slot

#: Texts in one request to the provider, which is Workers AI's limit for most models.
TEXTS_AT_ONCE = 100


async def embed_texts(
    principal: Principal, model: Model, texts: list[str], *, is_message: bool = True
) -> Embeddings:
    """Return a vector for each text, within the member's limits.

    Raise `QuotaExceeded` or `UpstreamError`. `prompt_tokens` is estimated if it was not reported.
    """
    texts = await masked_each(principal, texts)
    estimated = sum(map(estimate_tokens, texts))

    async def ask() -> tuple[Embeddings, Usage]:
        embeddings = await _in_batches(principal, model, texts, estimated)
        return embeddings, usage_of(embeddings.prompt_tokens or 0, 0)

    amount = amount_of(model, usage_of(estimated, 0))
    return await ask_within_limits(principal, model, amount, ask, estimated, is_message=is_message)


async def _in_batches(
    principal: Principal, model: Model, texts: list[str], estimated: int
) -> Embeddings:
    vectors: list[Vector] = []
    counted: int | None = 0
    at_once = model.max_texts or TEXTS_AT_ONCE
    for start in range(0, len(texts), at_once):
        await wait_for_slot(model)
        some = texts[start : start + at_once]
        embeddings = await embed(factory.client_for(model), model.provider_id, some, principal.key)
        vectors += embeddings.vectors
        known = counted is not None and embeddings.prompt_tokens is not None
        counted = (counted or 0) + (embeddings.prompt_tokens or 0) if known else None
    return Embeddings(vectors, estimated if counted is None else counted)
