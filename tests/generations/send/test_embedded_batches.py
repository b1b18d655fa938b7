"""Texts that are embedded in several requests are paid by what the provider has counted in all."""

import pytest

from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.conversations.prompt import estimate_tokens
from chat.generations.send import embedding
from chat.upstream import available_models
from chat.upstream.embeddings.client import Embeddings

pytestmark = pytest.mark.usefixtures("stop_server_process")

MODEL = "@cf/baai/bge-m3"
TEXTS = ["Hello", "there", "again"]
ESTIMATED = sum(map(estimate_tokens, TEXTS))


@pytest.mark.parametrize(
    ("reported", "counted"),
    [((3, 4, 5), 12), ((3, None, 5), ESTIMATED), ((3, 4, None), ESTIMATED)],
)
async def test_one_request_without_a_count_makes_all_of_it_an_estimate(
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    reported: tuple[int | None, ...],
    counted: int,
) -> None:
    left = iter(reported)

    async def embed(*_arguments: object) -> Embeddings:
        return Embeddings([(1.0,)], next(left))

    monkeypatch.setattr(embedding, "embed", embed)
    monkeypatch.setattr(embedding, "TEXTS_AT_ONCE", 1)
    model = available_models.find_embedding_model(MODEL)
    principal = Principal(f"user:{alice.pk}", alice.pk)
    embeddings = await embedding.embed_texts(principal, model, TEXTS)
    assert embeddings.prompt_tokens == counted
    assert len(embeddings.vectors) == len(TEXTS)
