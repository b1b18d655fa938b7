"""A deleted turn is hidden at once, can be restored for a while, and is then purged."""

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


async def test_a_deleted_turn_and_what_follows_is_shown_nowhere(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="One")
    where = first["conversation"]
    second = await said(alice_client, where, text="Two")
    third = await said(alice_client, where, text="Three")
    response = await alice_client.post(deletion(second))
    assert json.loads(response.content)["undo_seconds"] > 0
    assert ids(await shown(alice_client, where)) == [first["question"], first["answer"]]
    for message in (second["question"], second["answer"], third["answer"]):
        path = f"/chat/{where}/messages/{message}"
        assert (await alice_client.get(path)).status_code == 404
        assert (await alice_client.get(f"/chat/{where}/?at={message}")).status_code == 404
        rating = await alice_client.post(f"{path}/rating", {"value": 1}, "application/json")
        assert rating.status_code == 404
        assert (await alice_client.post(f"{path}/branch")).status_code == 404
        assert (await send(alice_client, where, text="x", parent=message)).status_code == 404
    assert (await send(alice_client, where, retry=second["answer"])).status_code == 404
    assert (await send(alice_client, where, resume=second["answer"])).status_code == 404


async def test_the_model_does_not_get_deleted_turns(alice_client: AsyncClient) -> None:
    async with site_with(always(stream_of(b'data: {"response":"Aye"}\n\n', DONE))) as raw:
        first = await said(alice_client, text="One")
        second = await said(alice_client, first["conversation"], text="Two")
        await alice_client.post(deletion(second))
        await said(alice_client, first["conversation"], text="Three")
    sent = json.loads(raw.requests[-1].partition(b"\r\n\r\n")[2])["messages"]
    assert [message["content"] for message in sent] == ["One", "Aye", "Three"]


async def test_other_versions_of_a_deleted_question_stay(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="One")
    other = await said(alice_client, first["conversation"], text="Another", parent=0)
    await alice_client.post(deletion(other))
    page = await shown(alice_client, first["conversation"])
    assert ids(page) == [first["question"], first["answer"]]
    assert "versions" not in page["turns"][0]


async def test_restoring_undoes_one_deletion_only(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="One")
    where = first["conversation"]
    second = await said(alice_client, where, text="Two")
    third = await said(alice_client, where, text="Three")
    before = await shown(alice_client, where)
    await alice_client.post(deletion(third))
    await alice_client.post(deletion(first))
    assert ids(await shown(alice_client, where)) == []
    assert (await alice_client.delete(deletion(first))).status_code == 200
    assert (
        ids(await shown(alice_client, where))
        == ids(before)[:4]
        == [*ids(before)[:3], second["answer"]]
    )
    await alice_client.delete(deletion(third))
    assert await shown(alice_client, where) == before
    assert (await alice_client.delete(deletion(third))).status_code == 404


async def test_a_chat_emptied_by_deletion_can_be_continued(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="One")
    await alice_client.post(deletion(first))
    page = await alice_client.get(f"/chat/{first['conversation']}/")
    assert page.status_code == 200
    again = await said(alice_client, first["conversation"], text="Anew")
    page = await shown(alice_client, first["conversation"])
    assert ids(page) == [again["question"], again["answer"]]
    assert "versions" not in page["turns"][0]


async def test_a_running_answer_in_a_deleted_turn_stops(alice_client: AsyncClient) -> None:
    async with site_with(endless()):
        response = await send(alice_client, text="Go")
        await written(response)
        turn = {
            "conversation": response["X-Conversation-Id"],
            "question": response["X-Question-Id"],
        }
        await alice_client.post(deletion(turn))
        assert (await read_stream(response)).key("state") == "stopped"
    generation = await Generation.objects.aget(id=response["X-Generation-Id"])
    assert generation.state == "stopped"
    conversation = await Conversation.objects.aget(id=turn["conversation"])
    assert not conversation.is_unread
    await alice_client.delete(deletion(turn))
    assert (await shown(alice_client, turn["conversation"]))["turns"][1]["text"]


async def test_after_a_while_a_deleted_turn_is_purged(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="One")
    second = await said(alice_client, first["conversation"], text="Two")
    await said(alice_client, first["conversation"], text="Three")
    kept = await said(alice_client, text="Elsewhere")
    await alice_client.post(deletion(second))
    await alice_client.post(deletion(kept))
    assert await threads.writer.run(remove_deleted, 20) == 0
    long_ago = timezone.now() - timedelta(seconds=21)
    there = Message.objects.filter(conversation=first["conversation"])
    await there.exclude(deleted_at=None).aupdate(deleted_at=long_ago)
    assert await threads.writer.run(remove_deleted, 20) == 4
    assert await there.acount() == 2
    assert (
        await Generation.objects.filter(message__conversation=first["conversation"]).acount() == 1
    )
    assert (await alice_client.delete(deletion(second))).status_code == 404
    assert (await alice_client.delete(deletion(kept))).status_code == 200


async def test_only_ones_own_questions_can_be_deleted(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    hers = await said(alice_client, text="Hers")
    his = await said(bob_client, text="His")
    answer = hers | {"question": hers["answer"]}
    assert (await alice_client.post(deletion(answer))).status_code == 400
    mixed = his | {"question": hers["question"]}
    for turn in (hers, mixed):
        assert (await bob_client.post(deletion(turn))).status_code == 404
    await alice_client.post(deletion(hers))
    for turn in (hers, mixed):
        assert (await bob_client.delete(deletion(turn))).status_code == 404
    assert (
        await alice_client.get(f"/chat/{hers['conversation']}/", headers=JSON)
    ).status_code == 200


async def test_a_deletion_needs_the_csrf_token(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="One")
    strict = AsyncClient(enforce_csrf_checks=True)
    strict.cookies = alice_client.cookies
    assert (await strict.post(deletion(first))).status_code == 403
    assert (await strict.delete(deletion(first))).status_code == 403
