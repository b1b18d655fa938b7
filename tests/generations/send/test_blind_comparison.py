"""Without names, nothing that reaches the page tells which model has written which answer."""

import json
from typing import Any

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.generations.models import Generation
from chat.generations.pairs.models import AnswerPair, PairVote
from tests.support.generations.compared import (
    LLAMA,
    MISTRAL,
    NAMES,
    allow_blind_comparison,
    compare,
    decide,
    last_turn,
)
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.web.message_versions import shown


@pytest.fixture
async def _blind(transactional_db: None) -> None:
    await allow_blind_comparison()


pytestmark = pytest.mark.usefixtures("_blind")


async def blind(client: AsyncClient, conversation: Any = None) -> Any:
    return await compare(client, conversation, is_blind=True)


def without_choices(page: str) -> str:
    """Return the part of a page with the messages: elsewhere, it offers all models."""
    return page.partition('id="thread"')[2].partition("</main>")[0].partition('id="composer"')[0]


async def test_no_name_is_on_the_page_before_the_vote(alice_client: AsyncClient) -> None:
    pair = await blind(alice_client)
    page = (await alice_client.get(pair.path)).content.decode()
    seen = [without_choices(page), *pair.streams]
    for path in (
        pair.path,
        f"{pair.path}?at={pair.a}",
        f"{pair.path}messages/{pair.a}",
        f"{pair.path}messages/{pair.b}",
        f"{pair.path}export.json",
        f"{pair.path}export.md",
    ):
        response = await alice_client.get(path, headers={"Accept": "application/json"})
        seen.append(
            str(response.headers)
            + str(
                b"".join([each async for each in response])
                if response.streaming
                else response.content
            )
        )
    assert "rivers" in seen[0]
    for each in seen:
        assert not any(name in each.lower() for name in NAMES), each


async def test_neither_cost_nor_timing_tells_the_model(alice_client: AsyncClient) -> None:
    pair = await blind(alice_client)
    turn = await last_turn(alice_client, pair)
    assert not {"model", "usage", "timing", "reasoning_effort"} & turn.keys()
    assert not any('"usage"' in each or '"model"' in each for each in pair.streams)
    stored = await Generation.objects.aget(message=pair.a)
    assert stored.total_tokens is not None


async def test_a_resumed_stream_tells_nothing_either(alice_client: AsyncClient) -> None:
    pair = await blind(alice_client)
    stored = await Generation.objects.aget(message=pair.a)
    text = str(await read_stream(await alice_client.get(f"/generations/{stored.pk}/stream")))
    assert "response" in text
    assert "usage" not in text
    assert not any(name in text.lower() for name in NAMES)


async def test_the_order_is_by_chance(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for bit, first in ((0, LLAMA), (1, MISTRAL)):
        monkeypatch.setattr("secrets.randbits", lambda _count, bit=bit: bit)
        pair = await blind(alice_client)
        assert (await Generation.objects.aget(message=pair.a)).model == first


@pytest.mark.parametrize(("verdict", "chosen"), [("a", "a"), ("b", "b"), ("good", ""), ("bad", "")])
async def test_a_vote_shows_the_names_and_is_kept_without_text(
    alice: User, alice_client: AsyncClient, verdict: str, chosen: str
) -> None:
    pair = await blind(alice_client)
    response = await decide(alice_client, pair, "vote", verdict=verdict)
    decided = json.loads(response.content)
    assert set(decided["models"].values()) == {LLAMA, MISTRAL}
    assert decided["models"]["a"] == (await Generation.objects.aget(message=pair.a)).model
    assert decided["pair"].get("chosen", "") == chosen
    vote = await PairVote.objects.aget()
    assert (vote.user_id, vote.verdict) == (alice.pk, verdict)
    assert {vote.model_a, vote.model_b} == {LLAMA, MISTRAL}
    turn = await last_turn(alice_client, pair)
    assert turn["model"] in {LLAMA, MISTRAL}
    assert "usage" in turn


async def test_a_vote_is_final(alice_client: AsyncClient) -> None:
    pair = await blind(alice_client)
    await decide(alice_client, pair, "vote", verdict="a")
    again = await decide(alice_client, pair, "vote", verdict="b")
    assert json.loads(again.content)["error"]["code"] == "comparison_decided"
    assert (await PairVote.objects.aget()).verdict == "a"


async def test_the_names_can_be_shown_without_a_vote(alice_client: AsyncClient) -> None:
    pair = await blind(alice_client)
    response = await decide(alice_client, pair, "vote", verdict="skipped")
    assert len(json.loads(response.content)["models"]) == 2
    assert not await PairVote.objects.aexists()


async def test_nothing_follows_before_the_vote(alice_client: AsyncClient) -> None:
    pair = await blind(alice_client)
    refused = [
        await send(alice_client, pair.chat, text="More", parent=pair.a),
        await decide(alice_client, pair, "choice", chosen="a"),
        await alice_client.post(f"{pair.path}messages/{pair.a}/branch"),
    ]
    for each in refused:
        assert json.loads(each.content)["error"]["code"] == "comparison_open"
    await decide(alice_client, pair, "vote", verdict="good")
    assert (await decide(alice_client, pair, "choice", chosen="b")).status_code == 200
    more = await send(alice_client, pair.chat, text="More", parent=pair.b)
    assert more.status_code == 200
    await read_stream(more)


async def test_one_missing_answer_allows_no_vote(alice_client: AsyncClient) -> None:
    first = await send(alice_client, text="Hi", model=LLAMA, compare_with=MISTRAL, is_blind=True)
    await read_stream(first)
    chat = first["X-Conversation-Id"]
    number = (await AnswerPair.objects.aget()).pk
    path = f"/chat/{chat}/pairs/{number}/vote"
    response = await alice_client.post(path, data={"verdict": "a"}, content_type="application/json")
    assert json.loads(response.content)["error"]["code"] == "answers_incomplete"
    assert (await shown(alice_client, chat))["turns"][-1]["pair"]["is_blind"]


async def test_a_continued_answer_stays_without_a_name(alice_client: AsyncClient) -> None:
    pair = await blind(alice_client)
    model = (await Generation.objects.aget(message=pair.a)).model
    more = await send(alice_client, pair.chat, resume=pair.a)
    text = str(await read_stream(more))
    assert not any(name in text.lower() for name in NAMES)
    latest = await Generation.objects.filter(message=pair.a).alatest("started_at")
    assert (latest.model, latest.hides_model) == (model, True)


async def test_votes_outlive_the_chat_but_not_the_account(
    alice: User, alice_client: AsyncClient
) -> None:
    pair = await blind(alice_client)
    await decide(alice_client, pair, "vote", verdict="a")
    await AnswerPair.objects.all().adelete()
    assert await PairVote.objects.acount() == 1
    await alice.adelete()
    assert not await PairVote.objects.aexists()
