"""Versions of questions and answers are branches, and pages request them by message."""

import json
import re

import pytest
from django.test import AsyncClient

from chat.conversations.models import Message
from tests.support.generations.send import DONE, send
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.web.message_versions import JSON, ids, said, shown


async def test_an_edited_question_becomes_a_branch(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="One")
    where = first["conversation"]
    old = await said(alice_client, where, text="Two")
    new = await said(alice_client, where, text="Zwei", parent=first["answer"])
    page = await shown(alice_client, where)
    assert ids(page) == [first["question"], first["answer"], new["question"], new["answer"]]
    versions = [turn.get("versions") for turn in page["turns"]]
    assert versions == [None, None, [old["question"], new["question"]], None]
    page = await shown(alice_client, where, f"?at={old['question']}")
    assert ids(page)[2:] == [old["question"], old["answer"]]
    assert page["turns"][2]["versions"] == [old["question"], new["question"]]


async def test_the_first_question_has_versions_too(alice_client: AsyncClient) -> None:
    async with site_with(always(stream_of(b'data: {"response":"Aye"}\n\n', DONE))) as raw:
        first = await said(alice_client, text="One")
        other = await said(alice_client, first["conversation"], text="Another", parent=0)
    sent = json.loads(raw.requests[1].partition(b"\r\n\r\n")[2])["messages"]
    assert [message["content"] for message in sent] == ["Another"]
    page = await shown(alice_client, first["conversation"])
    assert ids(page) == [other["question"], other["answer"]]
    assert page["turns"][0]["parent"] is None
    assert page["turns"][0]["versions"] == [first["question"], other["question"]]


async def test_another_answer_keeps_the_older_one_reachable(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="One")
    where = first["conversation"]
    second = await said(alice_client, where, retry=first["answer"])
    page = await shown(alice_client, where)
    assert ids(page)[-1] == second["answer"]
    assert page["turns"][1]["versions"] == [first["answer"], second["answer"]]
    page = await shown(alice_client, where, f"?at={first['answer']}")
    assert ids(page)[-1] == first["answer"]
    assert page["turns"][1]["text"]


async def test_a_position_shows_the_branch_used_last_below_it(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="One")
    where = first["conversation"]
    left = await said(alice_client, where, text="Left")
    right = await said(alice_client, where, text="Right", parent=first["answer"])
    more = await said(alice_client, where, text="More", parent=left["answer"])
    for at, last in (
        (first["question"], more),
        (left["question"], more),
        (right["question"], right),
        (right["answer"], right),
    ):
        page = await shown(alice_client, where, f"?at={at}")
        assert ids(page)[-1] == last["answer"]
        assert page["is_newest"] is (last is more)
    assert ids(await shown(alice_client, where))[-1] == more["answer"]


async def test_a_part_reaches_back_to_its_position(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="One")
    parent = await Message.objects.aget(id=first["answer"])
    for number in range(130):
        role = "assistant" if number % 2 else "user"
        parent = await Message.objects.acreate(
            conversation_id=first["conversation"], parent=parent, role=role, text=str(number)
        )
    page = await shown(alice_client, first["conversation"])
    assert len(page["turns"]) == 100
    assert page["has_earlier"]
    page = await shown(alice_client, first["conversation"], f"?at={first['answer']}")
    assert ids(page)[:2] == [first["question"], first["answer"]]
    assert not page["has_earlier"]
    last = page["turns"][-20]["id"]
    assert len((await shown(alice_client, first["conversation"], f"?at={last}"))["turns"]) == 100


async def test_version_arrows_are_links_without_scripts(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="One")
    where = first["conversation"]
    second = await said(alice_client, where, retry=first["answer"])
    page = (await alice_client.get(f"/chat/{where}/")).content.decode()
    assert "2/2" in page
    links = re.findall(r'href="\?at=(\d+)"', page)
    assert links == [str(first["answer"])]
    page = (await alice_client.get(f"/chat/{where}/?at={first['answer']}")).content.decode()
    assert re.findall(r'href="\?at=(\d+)"', page) == [str(second["answer"])]


@pytest.mark.parametrize("headers", [JSON, {}])
async def test_a_position_in_another_members_conversation_answers_404(
    headers: dict[str, str], alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    hers = await said(alice_client, text="Mine alone")
    his = await said(bob_client, text="His")
    for client, conversation, at in (
        (bob_client, hers["conversation"], hers["answer"]),
        (bob_client, his["conversation"], hers["answer"]),
        (alice_client, hers["conversation"], his["answer"]),
        (alice_client, hers["conversation"], 999_999),
    ):
        response = await client.get(f"/chat/{conversation}/?at={at}", headers=headers)
        assert response.status_code == 404
        assert b"Mine alone" not in response.content


@pytest.mark.parametrize("at", ["x", "-1", "", "9" * 30])
async def test_a_position_that_is_not_a_number_is_refused(
    at: str, alice_client: AsyncClient
) -> None:
    first = await said(alice_client, text="One")
    response = await alice_client.get(f"/chat/{first['conversation']}/?at={at}", headers=JSON)
    assert response.status_code == 400


async def test_a_question_cannot_follow_a_message_of_another_conversation(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    hers = await said(alice_client, text="Hers")
    other = await said(alice_client, text="Elsewhere")
    for client, parent in (
        (bob_client, hers["answer"]),
        (bob_client, 0),
        (alice_client, other["answer"]),
    ):
        response = await send(client, hers["conversation"], text="Intrude", parent=parent)
        assert response.status_code == 404
    assert await Message.objects.filter(text="Intrude").acount() == 0
