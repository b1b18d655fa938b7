"""Reranking counts against the member's limits, at the model's price."""

import pytest
from django.conf import settings

from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.errors import UnknownModel, UpstreamError
from chat.generations.send.reranking import rerank_texts
from chat.lib.catalogue import Model
from chat.quotas.models import Charge, Meter
from chat.upstream import available_models
from tests.support.upstream.raw_upstream import always, plain
from tests.support.upstream.upstream_failures import envelope
from tests.support.upstream.upstream_override import site_with

RERANKER = "@cf/baai/bge-reranker-base"
QUERY, TEXTS = "When was the bridge opened?", ["Rivers are long.", "The bridge opened in 1932."]


def member(alice: User) -> Principal:
    return Principal(key=f"user:{alice.pk}", user_id=alice.pk)


def reranker() -> Model:
    model: Model = settings.RERANK_MODELS[RERANKER]
    return model


async def test_scores_are_in_the_texts_order_and_cost_what_is_read(
    alice: User, stop_server_process: None
) -> None:
    river, bridge = await rerank_texts(member(alice), reranker(), QUERY, TEXTS)
    assert bridge > river
    charge = await Charge.objects.aget()
    assert (charge.user_id, charge.model) == (alice.pk, RERANKER)
    assert charge.settled_at
    read = 2 * len(QUERY) + sum(map(len, TEXTS))
    assert read / 4 < charge.tokens < read / 2
    assert charge.millineurons > 0


async def test_without_texts_nothing_is_asked(alice: User, stop_server_process: None) -> None:
    assert await rerank_texts(member(alice), reranker(), QUERY, []) == []
    assert not await Charge.objects.aexists()


async def test_an_error_of_the_provider_costs_nothing(
    alice: User, stop_server_process: None
) -> None:
    async with site_with(always(plain(502, envelope(8005)))):
        with pytest.raises(UpstreamError):
            await rerank_texts(member(alice), reranker(), QUERY, TEXTS)
    assert (await Charge.objects.aget()).tokens == 0
    assert (await Meter.objects.aget(key=f"user:{alice.pk}")).running == 0


def test_it_is_a_kind_of_its_own() -> None:
    assert not available_models.is_embedding_model(RERANKER)
    assert RERANKER not in available_models.embedding_models()
    with pytest.raises(UnknownModel):
        available_models.find_embedding_model(RERANKER)
    assert available_models.known(RERANKER)
