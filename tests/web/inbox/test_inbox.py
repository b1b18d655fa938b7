"""A site's team reads and answers its visitors' chats, and nobody else does."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.review.access_log.staff_actions import StaffAction
from chat.review.models import AccessLogEntry, StaffNote
from chat.review.moderation import content
from chat.widget_sites.models import SiteMember, WidgetSite
from tests.review.conftest import give, staff_context_of
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.widget.visitor_client import Visiting, make_site, visit

Inbox = Callable[..., str]
HTML = {"Accept": "text/html"}


async def text_of(client: AsyncClient, path: str) -> str:
    response = await client.get(path, headers=HTML)
    assert response.status_code == 200, path
    return response.content.decode()


async def kinds() -> list[str]:
    found = AccessLogEntry.objects.order_by("id").values_list("kind", flat=True)
    return [kind async for kind in found]


async def test_the_team_lists_reads_and_downloads_and_each_reading_is_logged(
    agent_client: AsyncClient, inbox: Inbox, chat: str, shop: WidgetSite
) -> None:
    assert "What does a canoe cost?" in await text_of(agent_client, inbox())
    page = await text_of(agent_client, inbox(chat))
    assert "What does a canoe cost?" in page
    assert "Hide message" not in page  # moderating is for staff of the site
    download = await agent_client.get(inbox(chat) + "export.md")
    pieces = [piece.decode() async for piece in download.streaming_content]  # type: ignore[attr-defined]
    assert "What does a canoe cost?" in "".join(pieces)
    assert download["Content-Disposition"].startswith("attachment; filename=")
    assert await kinds() == ["listed", "read", "exported"]
    entry = await AccessLogEntry.objects.alast()
    assert entry
    assert entry.reason == f"Inbox: {shop.name}"
    assert entry.reader == (await User.objects.aget(email="agnes@example.org")).pk


async def test_words_are_found_in_this_inbox_only(
    agent_client: AsyncClient, bob: User, inbox: Inbox, chat: str
) -> None:
    elsewhere = await visit(await sync_to_async(make_site)(bob))
    await read_stream(await elsewhere.send("What does a canoe cost elsewhere?"))
    found = await text_of(agent_client, inbox() + "?q=canoe")
    assert chat in found
    assert "elsewhere" not in found
    assert "No results" in await text_of(agent_client, inbox() + "?q=submarine")
    far = 4 * 10**18  # positions in the index have up to 19 digits
    assert chat in await text_of(agent_client, inbox() + f"?q=canoe&from={far}")
    assert (await agent_client.get(inbox() + "?q=canoe&from=x")).status_code == 400


async def test_strangers_and_other_chats_are_not_found(
    agent_client: AsyncClient,
    alice_client: AsyncClient,
    bob_client: AsyncClient,
    bob: User,
    inbox: Inbox,
    chat: str,
) -> None:
    sent = await send(alice_client, text="My own chat")
    await read_stream(sent)
    own = sent["X-Conversation-Id"]
    elsewhere = await visit(await sync_to_async(make_site)(bob))
    theirs = await elsewhere.send("Elsewhere")
    await read_stream(theirs)
    for client, path in (
        (bob_client, inbox()),
        (bob_client, inbox(chat)),
        (bob_client, inbox(chat) + "updates/"),
        (alice_client, inbox(own)),
        (agent_client, inbox(theirs["X-Conversation-Id"])),
        (agent_client, inbox(str(uuid.uuid4()))),
        (agent_client, inbox().replace("/inbox/", "/settings/")),
        (agent_client, inbox().replace("/inbox/", "/deletion/")),
        (agent_client, inbox().replace("/inbox/", "/")),
    ):
        assert (await client.get(path)).status_code == 404, path
    assert (await bob_client.post(inbox(chat) + "takeover/")).status_code == 404
    assert not await AccessLogEntry.objects.aexists()


async def test_a_member_answers_and_hands_back(
    agent_client: AsyncClient, alice_client: AsyncClient, inbox: Inbox, chat: str, vera: Visiting
) -> None:
    place = inbox(chat)
    assert (await agent_client.post(place + "takeover/")).status_code == 302
    person: Any = (await vera.get(f"conversations/{chat}/person")).json()
    assert person["person"]
    taken = await alice_client.post(place + "takeover/", follow=True)  # type: ignore[call-overload]
    assert "Another staff member is handling this chat." in taken.content.decode()
    body = {"text": "Hello, I am Agnes.", "key": uuid.uuid4().hex}
    json = {"Accept": "application/json"}
    assert (await agent_client.post(place + "turns/", body, headers=json)).status_code == 204
    assert (
        await alice_client.post(place + "turns/", body | {"key": "k" * 8}, headers=json)
    ).status_code == 409
    said = await Message.objects.alast()
    assert said
    assert (said.text, said.is_by_person) == ("Hello, I am Agnes.", True)
    await vera.send("Hello Agnes", chat)
    news = await agent_client.get(f"{place}updates/?after={said.pk}")
    assert [turn["text"] for turn in news.json()["turns"]] == ["Hello Agnes"]
    assert news.json()["holder"] == "own"
    assert (await agent_client.post(place + "handback/")).status_code == 302
    actions = [each.kind async for each in StaffAction.objects.order_by("id")]
    assert actions[-2:] == ["taken_over", "handed_back"]


async def test_an_open_page_learns_of_a_colleague_also_long_after_the_last_message(
    agent_client: AsyncClient, alice_client: AsyncClient, inbox: Inbox, chat: str
) -> None:
    last_week = timezone.now() - timedelta(days=7)
    await Conversation.objects.filter(pk=chat).aupdate(updated_at=last_week)
    place = inbox(chat)
    assert f'data-place="{place}"' in await text_of(agent_client, place)

    async def holder() -> tuple[str, str, bool]:
        news = (await agent_client.get(f"{place}updates/")).json()
        return news["holder"], news["who"], news["can_be_taken_over"]

    assert await holder() == ("", "", True)
    await alice_client.post(place + "takeover/")
    assert await holder() == ("other", "Alice", True)
    await alice_client.post(place + "handback/")
    assert await holder() == ("", "", True)
    await Conversation.objects.filter(pk=chat).aupdate(closed_at=timezone.now())
    assert await holder() == ("", "", False)


async def test_what_could_not_be_sent_is_kept_for_its_own_chat_only(
    agent_client: AsyncClient, inbox: Inbox, chat: str, vera: Visiting
) -> None:
    sent = await vera.send("Another chat")
    await read_stream(sent)
    body = {"text": "Your order is on its way, Vera.", "key": uuid.uuid4().hex}
    assert (await agent_client.post(inbox(chat) + "turns/", body, headers=HTML)).status_code == 302
    elsewhere = await text_of(agent_client, inbox(sent["X-Conversation-Id"]))
    assert body["text"] not in elsewhere
    for _reload in range(2):
        assert body["text"] in await text_of(agent_client, inbox(chat))


async def test_a_visitor_who_asks_for_a_person_waits_in_the_inbox(
    agent_client: AsyncClient, inbox: Inbox, chat: str, vera: Visiting
) -> None:
    waiting = inbox() + "?show=waiting"
    assert "No chats here." in await text_of(agent_client, waiting)
    place = f"conversations/{chat}/person"
    assert (await vera.post(f"{place}-request")).status_code == 200
    assert (await vera.post(f"{place}-request")).status_code == 200  # asked twice
    assert (await vera.get(place)).json()["requested"]
    assert chat in await text_of(agent_client, waiting)
    assert "Asked on " in await text_of(agent_client, inbox(chat))
    await read_stream(await vera.send("Are you there?", chat))  # the model answers meanwhile
    await agent_client.post(inbox(chat) + "takeover/")
    assert not (await vera.get(place)).json()["requested"]
    assert "No chats here." in await text_of(agent_client, waiting)
    assert chat in await text_of(agent_client, inbox() + "?show=mine")


async def test_persons_are_only_asked_for_where_the_site_offers_them(
    chat: str, vera: Visiting, shop: WidgetSite
) -> None:
    await WidgetSite.objects.aupdate(offers_person=False)
    assert (await vera.post(f"conversations/{chat}/person-request")).status_code == 404
    frame = await vera.client.get(f"/w/{shop.key}/")
    assert "Talk to a person" not in frame.content.decode()
    await WidgetSite.objects.aupdate(offers_person=True, person_reply="From 9 to 5.")
    frame = await vera.client.get(f"/w/{shop.key}/")
    assert "Talk to a person" in frame.content.decode()
    assert "From 9 to 5." in frame.content.decode()
    await Conversation.objects.aupdate(closed_at="2026-01-01T00:00Z")
    assert (await vera.post(f"conversations/{chat}/person-request")).status_code == 403


async def test_notes_of_staff_are_not_shown_to_the_team(
    agent_client: AsyncClient, alice_client: AsyncClient, rita: User, inbox: Inbox, chat: str,
    shop: WidgetSite,
) -> None:  # fmt: skip
    await StaffNote.objects.acreate(conversation_id=chat, author=rita, text="Moderators only")
    assert (
        await agent_client.post(inbox(chat) + "notes/", {"text": "Wants blue"})
    ).status_code == 302
    assert (await agent_client.post(inbox(chat) + "notes/", {"text": " "})).status_code == 422
    await SiteMember.objects.acreate(site=shop, user=rita)  # who may be of both
    own = await StaffNote.objects.aget(text="Wants blue")
    await StaffNote.objects.acreate(
        conversation_id=chat, author=rita, text="Among us", thread=own.pk
    )
    page = await text_of(alice_client, inbox(chat))
    assert "Wants blue" in page
    assert "Moderators only" not in page
    assert "Among us" not in page
    path = f"{inbox()}notes/{own.pk}/deletion/"
    assert (await alice_client.post(path)).status_code == 404  # it is not hers
    assert (await agent_client.post(path)).status_code == 302


async def test_what_staff_have_hidden_is_hidden_from_the_team(
    agent_client: AsyncClient, rita: User, inbox: Inbox, chat: str
) -> None:
    answer = await Message.objects.alast()
    assert answer
    await sync_to_async(_hide)(rita, chat, answer.pk)
    page = await text_of(agent_client, inbox(chat))
    assert "Hidden by staff." in page
    assert answer.text[:40] not in page
    news = await agent_client.get(inbox(chat) + "updates/")
    assert answer.text[:40] not in news.content.decode()
    export = await agent_client.get(inbox(chat) + "export.md")
    pieces = [piece.decode() async for piece in export.streaming_content]  # type: ignore[attr-defined]
    assert answer.text[:40] not in "".join(pieces)


def _hide(rita: User, chat: str, message_id: int) -> None:
    reviewer = give(rita, "lead_review", None)
    content.hide(staff_context_of(reviewer), uuid.UUID(chat), message_id)


async def test_badly_rated_chats_have_a_list(
    agent_client: AsyncClient, inbox: Inbox, chat: str, vera: Visiting
) -> None:
    answer = await Message.objects.alast()
    assert answer
    path = f"{chat}/messages/{answer.pk}/rating"
    assert (await vera.post(path, {"value": -1})).status_code == 200
    assert chat in await text_of(agent_client, inbox() + "?show=bad")
    assert (await agent_client.get(inbox() + "?show=nonsense")).status_code == 400
    assert (await agent_client.get(inbox() + "?from=nonsense")).status_code == 400


async def test_long_lists_have_pages(
    agent_client: AsyncClient, inbox: Inbox, chat: str, shop: WidgetSite
) -> None:
    owner = (await Conversation.objects.aget(pk=chat)).owner_id
    await Conversation.objects.abulk_create(
        [Conversation(owner_id=owner, title=f"Chat {number}") for number in range(60)]
    )
    first = await text_of(agent_client, inbox())
    following = first.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    second = await text_of(agent_client, inbox() + following)
    assert first.count("data-step") + second.count("data-step") == 61
    assert chat in second


async def test_nobody_reads_where_reading_is_turned_off(
    agent_client: AsyncClient, inbox: Inbox, chat: str, settings: Settings
) -> None:
    settings.REVIEW_PRIVACY = "off"
    assert (await agent_client.get(inbox())).status_code == 404
    assert (await agent_client.get(inbox(chat))).status_code == 404
