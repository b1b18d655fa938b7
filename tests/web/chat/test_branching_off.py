"""A conversation goes on as another one: what was said up to a message, and how it was made."""

import json
from typing import Any

import pytest
from django.test import AsyncClient

from chat.conversations.branches import next_title
from chat.conversations.models import Message
from chat.generations.models import Generation
from tests.support.generations.follow import endless
from tests.support.generations.send import send
from tests.support.upstream.upstream_override import site_with
from tests.support.web.message_versions import said, shown


async def branch(client: AsyncClient, turn: dict[str, Any], part: str = "answer") -> Any:
    return await client.post(f"/chat/{turn['conversation']}/messages/{turn[part]}/branch")


async def test_a_new_chat_begins_as_the_old_one_did(alices: AsyncClient) -> None:
    first = await said(alices, text="Rivers")
    where = first["conversation"]
    second = await said(alices, where, text="Why?")
    await said(alices, where, text="Really?")
    await said(alices, where, text="Elsewhere", parent=first["answer"])
    response = await branch(alices, second)
    assert response.status_code == 201
    copy = await shown(alices, json.loads(response.content)["conversation"])
    original = await shown(alices, where, f"?at={second['answer']}")
    assert copy["title"] == "Rivers (2)"
    assert len(copy["turns"]) == 4
    its_own = {"id", "parent", "generation", "versions"}
    for old, new in zip(original["turns"], copy["turns"], strict=False):
        assert {name: old[name] for name in old.keys() - its_own} == {
            name: new[name] for name in new.keys() - its_own
        }
        assert old["id"] != new["id"]
    assert copy["turns"][1]["usage"]["total_tokens"] > 0
    assert copy["turns"][2]["parent"] == copy["turns"][1]["id"]


async def test_the_copy_and_the_original_go_their_own_ways(alices: AsyncClient) -> None:
    first = await said(alices, text="Rivers")
    copied = json.loads((await branch(alices, first)).content)["conversation"]
    await said(alices, copied, text="On")
    assert len((await shown(alices, first["conversation"]))["turns"]) == 2
    await alices.post(f"/chat/{first['conversation']}/deletion/")
    assert len((await shown(alices, copied))["turns"]) == 4


async def test_an_answer_in_the_making_is_not_copied(alices: AsyncClient) -> None:
    async with site_with(endless()):
        response = await send(alices, text="Go")
        turn = {
            "conversation": response["X-Conversation-Id"],
            "answer": response["X-Message-Id"],
            "question": response["X-Question-Id"],
        }
        assert (await branch(alices, turn)).status_code == 409
        assert await Message.objects.acount() == 2
        assert (await branch(alices, turn, "question")).status_code == 201


async def test_strangers_copy_nothing(alices: AsyncClient, bobs: AsyncClient) -> None:
    hers = await said(alices, text="Hers")
    his = await said(bobs, text="His")
    assert (await branch(bobs, hers)).status_code == 404
    assert (await branch(bobs, his | {"answer": hers["answer"]})).status_code == 404
    assert await Message.objects.acount() == 4
    assert await Generation.objects.acount() == 2


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Rivers", "Rivers (2)"),
        ("Rivers (2)", "Rivers (3)"),
        ("Rivers (99)", "Rivers (100)"),
        ("Rivers (2024 flood)", "Rivers (2024 flood) (2)"),
        ("", ""),
        ("x" * 120, "x" * 116 + " (2)"),
    ],
)
def test_a_copy_has_the_next_number_in_its_title(title: str, expected: str) -> None:
    assert next_title(title) == expected
