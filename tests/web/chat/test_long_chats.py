"""Only the part of a long chat that is shown, sent or shared is loaded."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations import turns
from chat.conversations.models import Conversation, Message
from chat.errors import CannotShare
from chat.generations.models import Generation
from chat.sharing.snapshot import branch_of
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

AYE = b'data: {"response":"Aye"}\n\n'
LENGTH = 300_000


@pytest.fixture
def long_chat(alice: User) -> Conversation:
    """Create a chat with forty messages of 300,000 characters."""
    chat = Conversation.objects.create(owner=alice, title="Long")
    parent = None
    for n in range(40):
        role = "assistant" if n % 2 else "user"
        text = f"{n} ".ljust(LENGTH, "x")
        parent = Message.objects.create(conversation=chat, role=role, text=text, parent=parent)
    return chat


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the IDs of messages whose text was loaded."""
    seen: list[int] = []
    for name in ("load_messages", "texts_of"):
        monkeypatch.setattr(turns, name, partial(_noting, seen, getattr(turns, name)))
    return seen


def _noting(seen: list[int], load: Callable[..., Any], ids: list[int], **options: bool) -> Any:
    seen.extend(ids)
    return load(ids, **options)


async def test_a_message_loads_only_what_the_model_can_read(
    alice_client: AsyncClient, long_chat: Conversation, loaded: list[int]
) -> None:
    last = await long_chat.messages.order_by("id").alast()
    assert last
    async with site_with(always(stream_of(AYE, DONE))) as raw:
        response = await send(alice_client, long_chat.pk, text="And now?", parent=last.pk)
        assert (await read_stream(response)).text == "Aye"
    assert 0 < len(loaded) <= 5
    generation = await Generation.objects.alatest("started_at")
    sent = raw.requests[-1].count(b'"role"')
    assert 0 < sent < 10
    assert generation.omitted_messages + sent == 41


def test_a_page_loads_a_bounded_part(
    alice: User, long_chat: Conversation, loaded: list[int]
) -> None:
    part = turns.branch_part(long_chat)
    characters = sum(len(each.text) for each in part.messages)
    assert characters <= turns.PART_CHARACTERS + LENGTH  # with the question of the first answer
    assert part.has_earlier
    assert part.messages[0].role == "user"
    assert len(loaded) == len(part.messages)
    earlier = turns.branch_part(long_chat, before=part.messages[0])
    assert earlier.messages[-1].pk == part.messages[0].parent_id


def test_a_link_to_an_old_message_loads_a_bounded_part(
    long_chat: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "FOUND_CHARACTERS", 5 * LENGTH)
    first = long_chat.messages.order_by("id")[0]
    assert len(turns.branch_part(long_chat, at=first).messages) <= 6
    near = long_chat.messages.order_by("-id")[3]
    assert near in turns.branch_part(long_chat, at=near).messages


def test_a_chat_that_is_too_long_to_share_is_not_loaded(
    long_chat: Conversation, loaded: list[int]
) -> None:
    with pytest.raises(CannotShare):
        branch_of(long_chat)
    assert loaded == []


async def test_the_sharing_page_says_that_a_chat_is_too_long(
    alice_client: AsyncClient, long_chat: Conversation
) -> None:
    page = await alice_client.get(f"/chat/{long_chat.pk}/sharing/", headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert "too long to share" in page.content.decode()
