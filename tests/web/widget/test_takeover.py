"""Staff take over a visitor's chat: no model is called, and both sides see who writes."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from chat.conversations.handoff import takeover
from chat.conversations.models import Message, Takeover
from chat.conversations.prompt import merge_consecutive, without_empty_answers
from chat.generations.models import Generation
from chat.quotas.models import Charge, Limit
from tests.review.conftest import recorded_actions
from tests.support.generations.follow import endless
from tests.support.generations.stream_reader import read_stream
from tests.support.patience import PATIENCE_SECONDS
from tests.support.upstream.upstream_override import site_with
from tests.support.widget.takeovers import ASKED, person, say, shown, staff, take
from tests.support.widget.visitor_client import Visiting


async def test_a_staff_member_answers_and_hands_back(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    assert not (await person(vera, chat))["person"]
    charges = await Charge.objects.acount()
    await take(rita_client, chat)
    assert (await person(vera, chat))["person"]
    assert (await say(rita_client, chat, "Hello, Rita here.")).status_code == 204
    told = await vera.send("And for two?", chat, parent=1)
    assert told.status_code == 204
    assert told["X-Question-Id"]
    assert (await vera.send("Three?", chat)).status_code == 204
    assert (await say(rita_client, chat, "Ninety.")).status_code == 204
    assert (await say(rita_client, chat, "Each day.")).status_code == 204
    said = await shown(vera, chat)
    assert [(m["role"], m["text"], m.get("is_person", False)) for m in said[2:]] == [
        ("assistant", "Hello, Rita here.", True),
        ("user", "And for two?", False),
        ("user", "Three?", False),
        ("assistant", "Ninety.", True),
        ("assistant", "Each day.", True),
    ]
    assert said[3]["state"] == "awaiting_staff"
    assert await Generation.objects.acount() == 1
    assert await Charge.objects.acount() == charges
    assert (await rita_client.post(f"/review/{chat}/handback/")).status_code == 302
    found = await person(vera, chat)
    assert (found["person"], found["ended"]) == (False, "handed_back")
    kinds = [action.kind async for action in recorded_actions().order_by("pk")]
    assert kinds == ["taken_over", "handed_back"]


async def test_the_model_gets_the_staff_members_messages(
    vera: Visiting, chat: str, rita_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await take(rita_client, chat)
    await say(rita_client, chat, "Ninety.")
    await say(rita_client, chat, "Each day.")
    await rita_client.post(f"/review/{chat}/handback/")
    asked: list[Any] = []
    from chat.generations.send import answer_events

    real = answer_events._ask
    monkeypatch.setattr(
        answer_events, "_ask", lambda *given: asked.append(given[0]) or real(*given)
    )
    # The page has not loaded the staff member's messages yet.
    first = (await shown(vera, chat))[1]["id"]
    await read_stream(await vera.send("Thank you", chat, parent=first))
    (question,) = asked
    answer = (await shown(vera, chat))[1]["text"]
    assert [
        (m.role, m.content) for m in merge_consecutive(without_empty_answers(question.messages))
    ] == [
        ("user", "What does a day cost?"),
        ("assistant", f"{answer}\n\nNinety.\n\nEach day."),
        ("user", "Thank you"),
    ]
    assert (await person(vera, chat))["ended"] == ""


@pytest.fixture
async def running(vera: Visiting) -> AsyncIterator[Any]:
    async with site_with(endless()):
        sent = await vera.send("Tell me all")
        await anext(sent.streaming_content)
        yield sent


async def test_a_running_answer_stops_and_says_why(
    running: Any, vera: Visiting, rita_client: AsyncClient
) -> None:
    chat = running["X-Conversation-Id"]
    await take(rita_client, chat)
    async with asyncio.timeout(PATIENCE_SECONDS):
        stream = await read_stream(running)
    assert stream.key("state") == "stopped"
    assert stream.key("error")["code"] == "stopped_by_takeover"
    await say(rita_client, chat, "I am here.")
    said = await shown(vera, chat)
    assert said[1]["text"].endswith(stream.text)  # its beginning was read before
    assert stream.key("length") == len(said[1]["text"])
    assert said[2]["parent"] == said[1]["id"]
    again = await vera.post(f"{chat}/messages", {"key": uuid.uuid4().hex, "retry": said[1]["id"]})
    assert again.status_code == 409


async def test_only_one_staff_member_can_take_over(chat: str, rita_client: AsyncClient) -> None:
    lena = await staff("lena")
    both = await asyncio.gather(
        *(each.post(f"/review/{chat}/takeover/", ASKED) for each in (rita_client, lena))
    )
    assert [each.status_code for each in both] == [302, 302]
    assert await Takeover.objects.filter(ended_at=None).acount() == 1
    said = [(await say(each, chat, "Me")).status_code for each in (rita_client, lena)]
    assert sorted(said) == [204, 409]
    assert await Message.objects.filter(author__isnull=False).acount() == 1
    other = lena if said[0] == 204 else rita_client
    await other.post(f"/review/{chat}/handback/")  # it is not theirs to hand back
    assert await Takeover.objects.filter(ended_at=None).acount() == 1


async def test_a_repeated_message_is_stored_once(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    await take(rita_client, chat)
    for _ in range(2):
        assert (await say(rita_client, chat, "Once", key="the-same-key")).status_code == 204
    assert (await say(rita_client, chat, "Other", key="the-same-key")).status_code == 409
    key = uuid.uuid4().hex
    for _ in range(2):
        told = await vera.send("Once, too", chat, key=key)
        assert told.status_code == 204
    assert (await vera.send("Something else", chat, key=key)).status_code == 409
    assert (await vera.get(f"sends/{key}")).json()["conversation"] == chat
    assert await Message.objects.filter(text__startswith="Once").acount() == 2


async def test_a_takeover_without_heartbeats_ends(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    await take(rita_client, chat)
    long_ago = timezone.now() - takeover.AWAY - timedelta(seconds=1)
    await Takeover.objects.aupdate(last_seen_at=long_ago)
    await Message.objects.aupdate(created_at=long_ago)
    await rita_client.get(f"/review/{chat}/updates/?after=0")  # too late
    found = await person(vera, chat)
    assert (found["person"], found["ended"]) == (False, "left")
    refused = await say(rita_client, chat, "Am I still here?")
    assert refused.status_code == 409
    assert await sync_to_async(takeover.end_stale)() == 1
    assert (await person(vera, chat))["ended"] == "left"
    assert (await read_stream(await vera.send("Hello?", chat))).done
    await take(rita_client, chat)
    assert (await person(vera, chat))["person"]


async def test_an_open_page_sends_heartbeats(chat: str, rita_client: AsyncClient) -> None:
    await take(rita_client, chat)
    before = timezone.now() - takeover.AWAY / 2
    for path in (f"/review/{chat}/updates/?after=0", f"/review/{chat}/"):
        await Takeover.objects.aupdate(last_seen_at=before)
        await rita_client.get(path)
        assert (await Takeover.objects.aget()).last_seen_at > before


async def test_messages_to_a_staff_member_count_per_minute_and_cost_nothing(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    await take(rita_client, chat)
    await Limit.objects.acreate(scope="visitor", measure="requests", amount=3)
    await Limit.objects.acreate(scope="visitor", measure="tokens", amount=1)
    answers = [(await vera.send(f"Message {n}", chat)).status_code for n in range(4)]
    assert answers[0] == 204
    assert answers[-1] == 429
    assert await Message.objects.filter(role="user").acount() == 1 + answers.count(204)


async def test_only_visitors_chats_can_be_taken_over(
    alice_client: AsyncClient, rita_client: AsyncClient
) -> None:
    from tests.support.generations.send import send

    sent = await send(alice_client, text="Mine")
    await read_stream(sent)
    answer = await rita_client.post(f"/review/{sent['X-Conversation-Id']}/takeover/", ASKED)
    assert answer.status_code == 400
    assert not await Takeover.objects.aexists()


@pytest.mark.parametrize(("text", "status"), [("", 400), (" \n ", 400), ("a\0b", 204)])
async def test_a_staff_members_text_is_validated(
    chat: str, rita_client: AsyncClient, text: str, status: int
) -> None:
    await take(rita_client, chat)
    assert (await say(rita_client, chat, text)).status_code == status
    if status == 204:
        assert (await Message.objects.alast()).text == "a\ufffdb"  # type: ignore[union-attr]


async def test_without_scripts_an_unsent_message_is_kept(
    chat: str, rita_client: AsyncClient
) -> None:
    body = {"text": "A long thought", "key": uuid.uuid4().hex}
    answer = await rita_client.post(f"/review/{chat}/turns/", body, follow=True)
    assert "A long thought" in answer.content.decode()
    assert "You're no longer handling this chat" in unescape(answer.content.decode())


async def test_the_staff_page_says_who_wrote_what(chat: str, rita_client: AsyncClient) -> None:
    await take(rita_client, chat)
    await say(rita_client, chat, "Ninety.")
    page = (await rita_client.get(f"/review/{chat}/")).content.decode()
    assert "A person: <bdi>Rita</bdi>" in page


async def test_a_closed_chat_cannot_be_taken_over_or_written_in(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    await take(rita_client, chat)
    assert (
        await rita_client.post(f"/review/{chat}/closure/", {"reason": "It is over now"})
    ).status_code == 302
    refused = await say(rita_client, chat, "Hello")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "chat_closed")
    await rita_client.post(f"/review/{chat}/handback/")
    assert (await rita_client.post(f"/review/{chat}/takeover/", ASKED)).status_code == 403
    page = (await rita_client.get(f"/review/{chat}/")).content.decode()
    assert 'data-part="takeOver" hidden' in page
    assert not await Message.objects.filter(text="Hello").aexists()
