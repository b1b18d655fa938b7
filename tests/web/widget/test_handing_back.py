"""At the end of a takeover, the model answers what is open, and no draft is lost."""

import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts import suspension
from chat.conversations.models import Conversation, Message
from chat.generations.models import Generation
from chat.quotas.models import Limit
from chat.widget_sites.models import WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.widget.takeovers import say, shown, staff, take
from tests.support.widget.visitor_client import Visiting


async def hand_back(client: AsyncClient, chat: str, text: str = "") -> str:
    done = await client.post(f"/review/{chat}/handback/", {"text": text}, follow=True)
    assert done.status_code == 200
    return str(done.content.decode())


async def test_the_model_answers_the_open_question(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    await take(rita_client, chat)
    await vera.send("And for two?", chat)
    await vera.send("Or for three?", chat)
    assert "answering the visitor&#x27;s last message" in await hand_back(rita_client, chat)
    last = (await shown(vera, chat))[-1]
    assert last["role"] == "assistant"
    stream = await read_stream(await vera.get(f"generations/{last['generation']}/stream"))
    assert stream.done
    asked = await Message.objects.aget(text="Or for three?")
    assert last["parent"] == asked.pk


async def test_the_model_is_not_asked_if_a_person_has_answered(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    await take(rita_client, chat)
    await vera.send("And for two?", chat)
    await say(rita_client, chat, "Ninety.")
    assert "The AI is answering again." in await hand_back(rita_client, chat)
    assert await Generation.objects.acount() == 1


async def test_handing_back_twice_asks_once(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    await take(rita_client, chat)
    await vera.send("And for two?", chat)
    for _ in range(2):
        await hand_back(rita_client, chat)
    assert await Generation.objects.acount() == 2


async def test_a_suspended_visitor_gets_no_answer_of_the_model(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    await take(rita_client, chat)
    await vera.send("And for two?", chat)
    owner = (await Conversation.objects.select_related("owner").aget(pk=chat)).owner
    await sync_to_async(suspension.suspend)(owner, None)
    await hand_back(rita_client, chat)
    assert await Generation.objects.acount() == 1


async def test_another_staff_member_cannot_ask_the_model(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    lena = await staff("lena")
    await take(rita_client, chat)
    await vera.send("And for two?", chat)
    await hand_back(lena, chat)
    assert await Generation.objects.acount() == 1


async def test_a_reached_limit_is_said_to_the_staff_member(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    await take(rita_client, chat)
    await vera.send("And for two?", chat)
    await Limit.objects.acreate(scope="visitor", measure="tokens", amount=1)
    assert "The AI is answering" not in await hand_back(rita_client, chat)
    assert await Generation.objects.acount() == 1


async def test_a_draft_is_kept_until_it_is_sent(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    await take(rita_client, chat)
    shown_then = await hand_back(rita_client, chat, "A long thought")
    again = (await rita_client.get(f"/review/{chat}/")).content.decode()
    for page in (shown_then, again):
        assert ">A long thought</textarea>" in page
    await take(rita_client, chat)
    page = (await rita_client.get(f"/review/{chat}/")).content.decode()
    assert ">A long thought</textarea>" in page
    await say(rita_client, chat, "A long thought")
    page = (await rita_client.get(f"/review/{chat}/")).content.decode()
    assert ">A long thought</textarea>" not in page


async def test_drafts_of_several_chats_do_not_replace_each_other(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    sent = await vera.send("Another one")
    await read_stream(sent)
    other = str(sent["X-Conversation-Id"])
    for place, text in ((chat, "First thought"), (other, "Second thought")):
        await take(rita_client, place)
        await hand_back(rita_client, place, text)
    for place, text in ((chat, "First thought"), (other, "Second thought")):
        page = (await rita_client.get(f"/review/{place}/")).content.decode()
        assert f">{text}</textarea>" in page


async def test_a_visitor_may_ask_the_model_for_an_answer_that_is_missing(
    vera: Visiting, chat: str, rita_client: AsyncClient
) -> None:
    await take(rita_client, chat)
    await vera.send("And for two?", chat)
    open_one = (await shown(vera, chat))[-1]["id"]
    first = (await shown(vera, chat))[0]["id"]
    await hand_back(rita_client, chat)

    async def retry(question: int) -> Any:
        body = {"key": uuid.uuid4().hex, "retry": question}
        return await vera.post(f"{chat}/messages", body)

    assert (await retry(first)).status_code == 400  # it has an answer
    assert (await retry(open_one)).status_code == 400  # by now it has one, too


@pytest.mark.parametrize("text", ["", " \n"])
async def test_an_empty_draft_is_not_kept(chat: str, rita_client: AsyncClient, text: str) -> None:
    await take(rita_client, chat)
    assert 'data-part="unsent" hidden' in await hand_back(rita_client, chat, text)


async def test_who_answers_sees_the_page_and_the_saved_replies(
    vera: Visiting, chat: str, shop: WidgetSite, rita_client: AsyncClient
) -> None:
    shop.canned_replies = ["We are <open> until six."]
    await shop.asave()
    address = "https://shop.example/<b>canoes"
    body = {"key": uuid.uuid4().hex, "text": "This one?", "context": {"page": {"address": address}}}
    await read_stream(await vera.post(f"{chat}/messages", body))
    before = (await rita_client.get(f"/review/{chat}/")).content.decode()
    assert "On the page <bdi>https://shop.example/&lt;b&gt;canoes</bdi>" in before
    assert 'data-part="say" hidden' in before
    await take(rita_client, chat)
    page = (await rita_client.get(f"/review/{chat}/")).content.decode()
    assert 'data-part="say" >' in page
    assert '<option value="We are &lt;open&gt; until six.">' in page
