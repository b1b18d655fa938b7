"""A member asks two models at once, and compares their answers."""

import json

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.generations.models import AllowedModel, Generation
from chat.generations.pairs.models import AnswerPair
from chat.generations.process.prune_now import prune
from chat.generations.send.pair_places import PairPlace
from chat.quotas.models import Charge, Limit
from tests.support.generations.compared import (
    LLAMA,
    MISTRAL,
    Compared,
    compare,
    decide,
    last_turn,
)
from tests.support.generations.follow import endless, live
from tests.support.generations.send import key, send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import site_with
from tests.support.web.message_versions import ids, shown
from tests.support.widget.visitor_client import site_of, visit


async def model_of(answer: int) -> str:
    return (await Generation.objects.aget(message=answer)).model


async def test_both_answers_are_versions_of_one_question_with_costs_of_their_own(
    alice_client: AsyncClient,
) -> None:
    pair = await compare(alice_client)
    answers = [each async for each in Message.objects.filter(role="assistant").order_by("pk")]
    assert [each.pk for each in answers] == [pair.a, pair.b]
    assert len({each.parent_id for each in answers}) == 1
    assert [await model_of(pair.a), await model_of(pair.b)] == [LLAMA, MISTRAL]
    assert await Charge.objects.acount() == 2
    page = await shown(alice_client, pair.chat)
    assert page["turns"][-1]["versions"] == [pair.a, pair.b]
    assert page["turns"][-1]["pair"] == {
        "id": (await AnswerPair.objects.aget()).pk,
        "side": "b",
        "beside": pair.a,
        "model": LLAMA,
    }


async def test_both_answers_are_written_at_the_same_time(alice_client: AsyncClient) -> None:
    async with site_with(endless()):
        first = await send(alice_client, text="Hi", model=LLAMA, compare_with=MISTRAL)
        chat, answer = first["X-Conversation-Id"], int(first["X-Message-Id"])
        second = await send(alice_client, chat, beside=answer)
        assert [live(first).state, live(second).state] == ["running", "running"]
        turn = (await shown(alice_client, chat))["turns"][-1]
        assert (turn["state"], turn["pair"]["beside"]) == ("running", answer)
        await alice_client.post(f"/generations/{first['X-Generation-Id']}/cancellation")
        await live(first).done()
        assert live(second).state == "running"


async def test_a_repeated_send_attaches_to_the_same_answers(alice_client: AsyncClient) -> None:
    body = {"key": key(), "text": "Hi", "model": LLAMA, "compare_with": MISTRAL}
    first = await send(alice_client, **body)
    again = await send(alice_client, **body)
    assert first["X-Generation-Id"] == again["X-Generation-Id"]
    beside = {"key": key(), "beside": int(first["X-Message-Id"])}
    chat = first["X-Conversation-Id"]
    second = await send(alice_client, chat, **beside)
    again = await send(alice_client, chat, **beside)
    assert second["X-Generation-Id"] == again["X-Generation-Id"]
    assert await Message.objects.filter(role="assistant").acount() == 2


async def test_without_a_second_simultaneous_answer_the_first_goes_on(
    alice: User, alice_client: AsyncClient
) -> None:
    await Limit.objects.acreate(scope="member", measure="running", amount=1)
    async with site_with(endless()):
        first = await send(alice_client, text="Hi", model=LLAMA, compare_with=MISTRAL)
        chat, answer = first["X-Conversation-Id"], int(first["X-Message-Id"])
        refused = await send(alice_client, chat, beside=answer)
        assert refused.status_code == 429
        assert "an answer in progress" in json.loads(refused.content)["error"]["message"]
        assert live(first).state == "running"
        pair = (await shown(alice_client, chat))["turns"][-1]["pair"]
        assert "beside" not in pair
        assert pair["model"] == MISTRAL


async def test_a_model_that_is_refused_leaves_the_question_to_the_other_one(
    alice: User, alice_client: AsyncClient
) -> None:
    group = await Group.objects.acreate(name="Pupils")
    await group.user_set.aadd(alice)
    await AllowedModel.objects.acreate(group=group, model=MISTRAL)
    first = await send(alice_client, text="Hi", model=LLAMA, compare_with=MISTRAL)
    await read_stream(first)
    assert await model_of(int(first["X-Message-Id"])) == MISTRAL
    refused = await send(
        alice_client, first["X-Conversation-Id"], beside=int(first["X-Message-Id"])
    )
    assert refused.status_code == 403
    assert json.loads(refused.content)["error"]["code"] == "model_not_allowed"


async def test_if_both_are_refused_nothing_is_stored(
    alice: User, alice_client: AsyncClient
) -> None:
    await Limit.objects.acreate(scope="member", measure="requests", amount=0)
    refused = await send(alice_client, text="Hi", model=LLAMA, compare_with=MISTRAL)
    assert refused.status_code == 429
    assert not await Message.objects.aexists()


@pytest.mark.parametrize(
    "body",
    [
        {"text": "Hi", "model": LLAMA, "compare_with": LLAMA},
        {"text": "Hi", "compare_with": MISTRAL},
        {"text": "Hi", "model": LLAMA, "compare_with": MISTRAL, "is_blind": True},  # is off
    ],
)
async def test_what_cannot_be_compared_is_refused(
    alice_client: AsyncClient, body: dict[str, object]
) -> None:
    assert (await send(alice_client, **body)).status_code == 400
    assert not await Message.objects.aexists()


async def test_a_third_answer_has_no_place(alice_client: AsyncClient) -> None:
    pair = await compare(alice_client)
    assert (await send(alice_client, pair.chat, beside=pair.a)).status_code == 409


async def test_a_stored_answer_can_be_compared_with_another_model(
    alice_client: AsyncClient,
) -> None:
    first = await send(alice_client, text="Hi", model=LLAMA)
    await read_stream(first)
    chat, answer = first["X-Conversation-Id"], int(first["X-Message-Id"])
    second = await send(alice_client, chat, beside=answer, model=MISTRAL)
    await read_stream(second)
    pair = await AnswerPair.objects.aget()
    assert (pair.answer_a_id, pair.answer_b_id) == (answer, int(second["X-Message-Id"]))
    assert (pair.model_a, pair.model_b) == (LLAMA, MISTRAL)


async def test_the_chosen_answer_is_the_one_that_the_chat_shows_and_goes_on_with(
    alice_client: AsyncClient,
) -> None:
    pair = await compare(alice_client)
    assert (await last_turn(alice_client, pair))["id"] == pair.b
    assert (await decide(alice_client, pair, "choice", chosen="a")).status_code == 200
    turn = await last_turn(alice_client, pair)
    assert (turn["id"], turn["pair"]["chosen"]) == (pair.a, "a")
    more = await send(alice_client, pair.chat, text="More", parent=pair.a)
    await read_stream(more)
    page = await shown(alice_client, pair.chat)
    assert ids(page)[1:3] == [pair.a, int(more["X-Question-Id"])]
    assert "pair" not in page["turns"][1]


async def test_a_failed_answer_is_replaced_by_the_next_attempt(alice_client: AsyncClient) -> None:
    pair = await compare(alice_client)
    await Message.objects.filter(pk=pair.b).aupdate(text="")
    again = await send(alice_client, pair.chat, beside=pair.a)
    await read_stream(again)
    stored = await AnswerPair.objects.aget()
    assert (stored.answer_a_id, stored.answer_b_id) == (pair.a, int(again["X-Message-Id"]))


async def test_nobody_else_can_use_the_pair(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    pair = await compare(alice_client)
    number = (await AnswerPair.objects.aget()).pk
    for what, body in (("vote", {"verdict": "a"}), ("choice", {"chosen": "a"})):
        path = f"/chat/{pair.chat}/pairs/{number}/{what}"
        response = await bob_client.post(path, data=body, content_type="application/json")
        assert response.status_code == 404
    assert (await send(bob_client, pair.chat, beside=pair.a)).status_code == 404
    elsewhere = await compare(alice_client)
    path = f"/chat/{elsewhere.chat}/pairs/{number}/choice"
    response = await alice_client.post(path, data={"chosen": "a"}, content_type="application/json")
    assert response.status_code == 404


async def test_a_deleted_turn_takes_its_pair_along(alice_client: AsyncClient) -> None:
    pair: Compared = await compare(alice_client)
    number = (await AnswerPair.objects.aget()).pk
    question = (await Message.objects.aget(role="user")).pk
    await alice_client.post(f"/chat/{pair.chat}/messages/{question}/deletion")
    path = f"/chat/{pair.chat}/pairs/{number}/choice"
    response = await alice_client.post(path, data={"chosen": "a"}, content_type="application/json")
    assert response.status_code == 404


async def test_pairs_are_purged_with_their_chat(alice_client: AsyncClient) -> None:
    pair = await compare(alice_client)
    await Conversation.objects.filter(pk=pair.chat).aupdate(purge_after=timezone.now())
    await sync_to_async(prune)()
    assert not await Message.objects.aexists()
    assert not await AnswerPair.objects.aexists()


async def test_visitors_cannot_choose_or_compare_models(alice: User) -> None:
    vera = await visit(await site_of(alice))
    sent = await vera.send(model=LLAMA, compare_with=MISTRAL)
    assert sent.status_code == 400
    first = await vera.send()
    await read_stream(first)
    chat, answer = first["X-Conversation-Id"], int(first["X-Message-Id"])
    beside = {"key": key(), "beside": answer, "model": MISTRAL}
    assert (await vera.post(f"{chat}/messages", beside)).status_code == 400
    assert not await AnswerPair.objects.aexists()


async def test_a_verdict_that_is_stored_while_the_other_answer_begins_stays(
    alice_client: AsyncClient,
) -> None:
    compared = await compare(alice_client)
    pair = await AnswerPair.objects.aget()
    planned = PairPlace(pair, AnswerPair.Side.B)
    await AnswerPair.objects.aupdate(verdict=AnswerPair.Verdict.SKIPPED)
    await sync_to_async(planned.keep)(await Message.objects.aget(pk=compared.b))
    assert (await AnswerPair.objects.aget()).verdict == AnswerPair.Verdict.SKIPPED
