"""The emulator scores texts by how much of a question's words they have."""

from typing import Any

import pytest

from chat.emulator import Emulator
from tests.emulator.exchange import ACCOUNT, run_path, send

RERANKER = "@cf/baai/bge-reranker-base"
TEXTS = ["The mayor opened the park.", "The bridge opened in 1932.", "Rivers have bridges."]
CONTEXTS = [{"text": text} for text in TEXTS]


async def reranked(emulator: Emulator, **options: Any) -> Any:
    body = {"query": "When was the bridge opened?", "contexts": CONTEXTS, **options}
    return await send(emulator, body, run_path(RERANKER))


async def test_the_best_text_comes_first_with_its_place(emulator: Emulator) -> None:
    found = (await reranked(emulator)).json["result"]["response"]
    assert found[0]["id"] == 1
    assert sorted(each["id"] for each in found) == [0, 1, 2]
    scores = [each["score"] for each in found]
    assert scores == sorted(scores, reverse=True)
    assert 0 <= scores[-1] <= scores[0] <= 1


async def test_only_as_many_are_returned_as_were_asked_for(emulator: Emulator) -> None:
    (best,) = (await reranked(emulator, top_k=1)).json["result"]["response"]
    assert best["id"] == 1


@pytest.mark.parametrize(
    "options",
    [
        {"query": ""},
        {"query": None},
        {"contexts": None},
        {"contexts": ["text"]},
        {"contexts": [{"text": ""}]},
        {"top_k": 0},
        {"top_k": "1"},
    ],
)
async def test_an_invalid_request_is_refused(emulator: Emulator, options: Any) -> None:
    assert (await reranked(emulator, **options)).code == 5006


async def test_it_neither_embeds_nor_chats(emulator: Emulator) -> None:
    embed = {"model": RERANKER, "input": "a"}
    assert (await send(emulator, embed, f"{ACCOUNT}/ai/v1/embeddings")).code == 5007
    assert (await send(emulator, {"prompt": "Hello"}, run_path(RERANKER))).code == 5006
