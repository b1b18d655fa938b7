"""Branching off copies a conversation up to a message, with how each answer was made."""

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


async def test_a_new_chat_starts_like_the_original(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="Rivers")
    where = first["conversation"]
    second = await said(alice_client, where, text="Why?")
    await said(alice_client, where, text="Really?")
    await said(alice_client, where, text="Elsewhere", parent=first["answer"])
    response = await branch(alice_client, second)
    assert response.status_code == 201
    copy = await shown(alice_client, json.loads(response.content)["conversation"])
    original = await shown(alice_client, where, f"?at={second['answer']}")
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


async def test_the_copy_and_the_original_are_independent(alice_client: AsyncClient) -> None:
    first = await said(alice_client, text="Rivers")
    copied = json.loads((await branch(alice_client, first)).content)["conversation"]
    await said(alice_client, copied, text="On")
    assert len((await shown(alice_client, first["conversation"]))["turns"]) == 2
    await alice_client.post(f"/chat/{first['conversation']}/deletion/")
    assert len((await shown(alice_client, copied))["turns"]) == 4


async def test_a_running_answer_is_not_copied(alice_client: AsyncClient) -> None:
    async with site_with(endless()):
        response = await send(alice_client, text="Go")
        turn = {
            "conversation": response["X-Conversation-Id"],
            "answer": response["X-Message-Id"],
            "question": response["X-Question-Id"],
        }
        assert (await branch(alice_client, turn)).status_code == 409
        assert await Message.objects.acount() == 2
        assert (await branch(alice_client, turn, "question")).status_code == 201


async def test_another_member_cannot_branch_off(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    hers = await said(alice_client, text="Hers")
    his = await said(bob_client, text="His")
    assert (await branch(bob_client, hers)).status_code == 404
    assert (await branch(bob_client, his | {"answer": hers["answer"]})).status_code == 404
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
def test_a_copy_gets_a_numbered_title(title: str, expected: str) -> None:
    assert next_title(title) == expected
