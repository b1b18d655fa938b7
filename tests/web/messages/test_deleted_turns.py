"""A deleted turn is gone at once, can be brought back for a while, and then is gone for good."""

import json
from datetime import timedelta
from typing import Any

from django.test import AsyncClient
from django.utils import timezone

from chat.conversations.branches import remove_deleted
from chat.conversations.models import Conversation, Message
from chat.database import threads
from chat.generations.models import Generation
from tests.support.generations.follow import endless
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import written
from tests.support.web.message_versions import JSON, ids, said, shown


def deletion(turn: dict[str, Any]) -> str:
    return f"/chat/{turn['conversation']}/messages/{turn['question']}/deletion"


async def test_a_deleted_turn_and_what_follows_is_nowhere(alices: AsyncClient) -> None:
    first = await said(alices, text="One")
    where = first["conversation"]
    second = await said(alices, where, text="Two")
    third = await said(alices, where, text="Three")
    response = await alices.post(deletion(second))
    assert json.loads(response.content)["undo_seconds"] > 0
    assert ids(await shown(alices, where)) == [first["question"], first["answer"]]
    for message in (second["question"], second["answer"], third["answer"]):
        path = f"/chat/{where}/messages/{message}"
        assert (await alices.get(path)).status_code == 404
        assert (await alices.get(f"/chat/{where}/?at={message}")).status_code == 404
        rating = await alices.post(f"{path}/rating", {"value": 1}, "application/json")
        assert rating.status_code == 404
        assert (await alices.post(f"{path}/branch")).status_code == 404
        assert (await send(alices, where, text="x", parent=message)).status_code == 404
    assert (await send(alices, where, retry=second["answer"])).status_code == 404
    assert (await send(alices, where, resume=second["answer"])).status_code == 404


async def test_a_model_hears_nothing_of_what_was_deleted(alices: AsyncClient) -> None:
    async with site_with(always(stream_of(b'data: {"response":"Aye"}\n\n', DONE))) as raw:
        first = await said(alices, text="One")
        second = await said(alices, first["conversation"], text="Two")
        await alices.post(deletion(second))
        await said(alices, first["conversation"], text="Three")
    sent = json.loads(raw.requests[-1].partition(b"\r\n\r\n")[2])["messages"]
    assert [message["content"] for message in sent] == ["One", "Aye", "Three"]


async def test_other_versions_of_a_deleted_question_stay(alices: AsyncClient) -> None:
    first = await said(alices, text="One")
    other = await said(alices, first["conversation"], text="Another", parent=0)
    await alices.post(deletion(other))
    page = await shown(alices, first["conversation"])
    assert ids(page) == [first["question"], first["answer"]]
    assert "versions" not in page["turns"][0]


async def test_a_deletion_is_taken_back_and_only_that_one(alices: AsyncClient) -> None:
    first = await said(alices, text="One")
    where = first["conversation"]
    second = await said(alices, where, text="Two")
    third = await said(alices, where, text="Three")
    before = await shown(alices, where)
    await alices.post(deletion(third))
    await alices.post(deletion(first))
    assert ids(await shown(alices, where)) == []
    assert (await alices.delete(deletion(first))).status_code == 200
    assert (
        ids(await shown(alices, where)) == ids(before)[:4] == [*ids(before)[:3], second["answer"]]
    )
    await alices.delete(deletion(third))
    assert await shown(alices, where) == before
    assert (await alices.delete(deletion(third))).status_code == 404


async def test_an_emptied_chat_begins_anew(alices: AsyncClient) -> None:
    first = await said(alices, text="One")
    await alices.post(deletion(first))
    page = await alices.get(f"/chat/{first['conversation']}/")
    assert page.status_code == 200
    again = await said(alices, first["conversation"], text="Anew")
    page = await shown(alices, first["conversation"])
    assert ids(page) == [again["question"], again["answer"]]
    assert "versions" not in page["turns"][0]


async def test_an_answer_that_is_being_written_in_it_stops(alices: AsyncClient) -> None:
    async with site_with(endless()):
        response = await send(alices, text="Go")
        await written(response)
        turn = {
            "conversation": response["X-Conversation-Id"],
            "question": response["X-Question-Id"],
        }
        await alices.post(deletion(turn))
        assert (await read_stream(response)).key("state") == "stopped"
    generation = await Generation.objects.aget(id=response["X-Generation-Id"])
    assert generation.state == "stopped"
    conversation = await Conversation.objects.aget(id=turn["conversation"])
    assert not conversation.is_unread
    await alices.delete(deletion(turn))
    assert (await shown(alices, turn["conversation"]))["turns"][1]["text"]


async def test_after_a_while_it_is_gone_for_good(alices: AsyncClient) -> None:
    first = await said(alices, text="One")
    second = await said(alices, first["conversation"], text="Two")
    await said(alices, first["conversation"], text="Three")
    kept = await said(alices, text="Elsewhere")
    await alices.post(deletion(second))
    await alices.post(deletion(kept))
    assert await threads.writer.run(remove_deleted, 20) == 0
    long_ago = timezone.now() - timedelta(seconds=21)
    there = Message.objects.filter(conversation=first["conversation"])
    await there.exclude(deleted_at=None).aupdate(deleted_at=long_ago)
    assert await threads.writer.run(remove_deleted, 20) == 4
    assert await there.acount() == 2
    assert (
        await Generation.objects.filter(message__conversation=first["conversation"]).acount() == 1
    )
    assert (await alices.delete(deletion(second))).status_code == 404
    assert (await alices.delete(deletion(kept))).status_code == 200


async def test_only_a_question_of_ones_own_is_deleted(
    alices: AsyncClient, bobs: AsyncClient
) -> None:
    hers = await said(alices, text="Hers")
    his = await said(bobs, text="His")
    answer = hers | {"question": hers["answer"]}
    assert (await alices.post(deletion(answer))).status_code == 400
    mixed = his | {"question": hers["question"]}
    for turn in (hers, mixed):
        assert (await bobs.post(deletion(turn))).status_code == 404
    await alices.post(deletion(hers))
    for turn in (hers, mixed):
        assert (await bobs.delete(deletion(turn))).status_code == 404
    assert (await alices.get(f"/chat/{hers['conversation']}/", headers=JSON)).status_code == 200


async def test_a_deletion_needs_the_csrf_token(alices: AsyncClient) -> None:
    first = await said(alices, text="One")
    strict = AsyncClient(enforce_csrf_checks=True)
    strict.cookies = alices.cookies
    assert (await strict.post(deletion(first))).status_code == 403
    assert (await strict.delete(deletion(first))).status_code == 403
