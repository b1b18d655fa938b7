"""Visitors get suggested questions where the installation and the website's owner have them."""

import uuid
from functools import partial
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations import redaction
from chat.conversations.models import Conversation, Message, Takeover
from chat.generations.follow_ups import follow_up_writer
from chat.quotas.models import Charge, Limit
from chat.web.widget.person_presenters import shown_person
from chat.widget_sites.models import Visitor, WidgetSite
from chat.widget_sites.visits import Visit
from tests.support.database.statements import statements
from tests.support.generations.follow_ups import SUGGESTED, suggest_questions
from tests.support.generations.masked_requests import (
    QUESTION,
    assert_nothing_personal,
    store_settings,
)
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.recorded_emulator import record_requests
from tests.support.widget.takeovers import person, shown, take
from tests.support.widget.visitor_client import Visiting

MODEL = "@cf/ibm-granite/granite-4.0-h-micro"


@pytest.fixture(autouse=True)
async def _suggesting(settings: Any, shop: WidgetSite) -> None:
    settings.TITLE_MODEL = MODEL
    await suggest_questions()
    await WidgetSite.objects.aupdate(suggests_questions=True)


async def ask(vera: Visiting, text: str = "What does a day cost?", chat: str = "") -> str:
    """Ask, wait for what is written afterwards, and return the chat."""
    sent = await vera.send(text, chat)
    await read_stream(sent)
    await follow_up_writer.until_written()
    return str(sent["X-Conversation-Id"])


async def suggestions(vera: Visiting, chat: str) -> list[Any]:
    """Return those of each turn, and those that the open frame is told."""
    told = (await person(vera, chat))["follow_ups"]
    return [*(turn.get("follow_ups", []) for turn in await shown(vera, chat)), told]


async def test_only_the_newest_answer_has_them(vera: Visiting) -> None:
    chat = await ask(vera)
    assert await suggestions(vera, chat) == [[], SUGGESTED, SUGGESTED]
    (_question, answer) = await shown(vera, chat)
    message = (await vera.get(f"{chat}/messages/{answer['id']}")).json()
    assert message["follow_ups"] == SUGGESTED
    await ask(vera, "And for two?", chat)
    assert await suggestions(vera, chat) == [[], [], [], SUGGESTED, SUGGESTED]


async def test_asking_for_them_again_and_again_costs_no_more_statements(vera: Visiting) -> None:
    chat = uuid.UUID(await ask(vera))
    visitor = await Visitor.objects.select_related("site").aget()
    poll = partial(shown_person, Visit(visitor.site, visitor, ""), chat)
    assert (await sync_to_async(poll)())["follow_ups"] == tuple(SUGGESTED)
    with_some = await sync_to_async(statements)(poll)
    await Message.objects.aupdate(follow_ups=None)
    assert with_some == await sync_to_async(statements)(poll)


@pytest.mark.parametrize("reason", ["owner", "installation", "model"])
async def test_nobody_is_asked_where_they_are_off(
    vera: Visiting, settings: Any, reason: str
) -> None:
    if reason == "owner":
        await WidgetSite.objects.aupdate(suggests_questions=False)
    if reason == "installation":
        await suggest_questions(are_on=False)
    if reason == "model":
        settings.TITLE_MODEL = ""
    chat = await ask(vera)
    assert await suggestions(vera, chat) == [[], [], []]
    assert await Charge.objects.acount() == 1


async def test_those_that_are_stored_are_hidden_once_they_are_off(vera: Visiting) -> None:
    chat = await ask(vera)
    await WidgetSite.objects.aupdate(suggests_questions=False)
    assert await suggestions(vera, chat) == [[], [], []]
    await WidgetSite.objects.aupdate(suggests_questions=True)
    await suggest_questions(are_on=False)
    assert await suggestions(vera, chat) == [[], [], []]


async def test_the_frame_says_whether_to_wait_for_them(shop: WidgetSite) -> None:
    client = AsyncClient()
    for is_on in (True, False):
        await suggest_questions(are_on=is_on)
        page = (await client.get(f"/w/{shop.key}/")).content.decode()
        assert ("data-suggests" in page) == is_on


async def test_they_count_towards_the_sites_limits_but_are_no_message(
    vera: Visiting, shop: WidgetSite
) -> None:
    await Limit.objects.acreate(scope="visitor", site=shop.key, measure="requests", amount=1)
    chat = await ask(vera)
    assert (await suggestions(vera, chat))[-1] == SUGGESTED
    charges = [each async for each in Charge.objects.all()]
    assert all(any(shop.key in key for key in each.keys) for each in charges)
    assert [each.model for each in charges].count(MODEL) == 1
    assert all(each.settled_at for each in charges)


async def test_without_a_budget_there_are_none(vera: Visiting, shop: WidgetSite) -> None:
    await Limit.objects.acreate(scope="site", site=shop.key, measure="tokens", amount=200)
    chat = await ask(vera)
    assert await suggestions(vera, chat) == [[], [], []]


async def test_a_person_who_takes_over_removes_them(
    vera: Visiting, rita_client: AsyncClient
) -> None:
    chat = await ask(vera)
    await take(rita_client, chat)
    assert await suggestions(vera, chat) == [[], [], []]
    await rita_client.post(f"/review/{chat}/handback/")
    assert await suggestions(vera, chat) == [[], SUGGESTED, SUGGESTED]


async def test_a_person_who_takes_over_meanwhile_prevents_them(
    vera: Visiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = follow_up_writer.visits.suggests_questions

    def late(user_id: int) -> bool:
        taken = Conversation.objects.get(owner=user_id)
        Takeover.objects.create(conversation=taken, person=1)
        return wanted(user_id)

    monkeypatch.setattr(follow_up_writer.visits, "suggests_questions", late)
    await ask(vera)
    assert not await Message.objects.exclude(follow_ups=None).aexists()
    assert await Charge.objects.filter(model=MODEL).acount() == 0


@pytest.mark.parametrize("role", ["user", "assistant"])
async def test_hiding_a_message_removes_what_was_made_from_it(vera: Visiting, role: str) -> None:
    chat = await ask(vera)
    message = await Message.objects.select_related("conversation").aget(role=role)
    await sync_to_async(redaction.redact)(message)
    assert await suggestions(vera, chat) == [[], [], []]


async def test_personal_data_is_covered(vera: Visiting, monkeypatch: pytest.MonkeyPatch) -> None:
    await sync_to_async(store_settings)(COVER_PERSONAL_DATA=True)
    asked = record_requests(monkeypatch)
    await ask(vera, QUESTION)
    assert [b"Suggest what the user" in body for _path, body in asked].count(True) == 1
    assert_nothing_personal(asked)


async def test_another_visitor_never_sees_them(vera: Visiting, victor: Visiting) -> None:
    chat = await ask(vera)
    for path in (f"conversations/{chat}", f"conversations/{chat}/person"):
        assert SUGGESTED[0] in (await vera.get(path)).content.decode()
        refused = await victor.get(path)
        assert refused.status_code == 404
        assert SUGGESTED[0] not in refused.content.decode()


async def test_staff_do_not_see_them(vera: Visiting, rita_client: AsyncClient) -> None:
    chat = await ask(vera)
    page = await rita_client.get(f"/review/{chat}/")
    assert page.status_code == 200
    assert SUGGESTED[0] not in page.content.decode()


async def test_the_owner_is_offered_them_where_the_installation_has_them(
    alice: User, alice_client: AsyncClient, shop: WidgetSite
) -> None:
    path, sent = f"/sites/{shop.key}/settings/", {"name": "Shop", "origins": "https://shop.example"}
    await WidgetSite.objects.aupdate(suggests_questions=False)
    assert 'name="suggests_questions"' in (await alice_client.get(path)).content.decode()
    assert (await alice_client.post(path, sent | {"suggests_questions": "on"})).status_code == 302
    await suggest_questions(are_on=False)
    assert 'name="suggests_questions"' not in (await alice_client.get(path)).content.decode()
    assert (await alice_client.post(path, sent)).status_code == 302  # which keeps the choice
    await suggest_questions()
    shown_form = (await alice_client.get(path)).content.decode()
    assert "checked" in shown_form.partition('name="suggests_questions"')[2].partition(">")[0]
    assert (await alice_client.post(path, sent)).status_code == 302
    await shop.arefresh_from_db()
    assert not shop.suggests_questions
