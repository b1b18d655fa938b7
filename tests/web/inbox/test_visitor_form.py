"""Owners ask visitors something before the first message, and the team sees the answers."""

from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.data_requests.record import PARTS
from chat.inbox import visitor_details
from chat.inbox.models import VisitorDetails, VisitorForm
from chat.widget_sites import visitors
from chat.widget_sites.models import Visitor, WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.widget.visitor_client import Visiting

Inbox = Callable[..., str]
HTML = {"Accept": "text/html"}
ASKED = {"asks_name": "on", "asks_email": "on", "question": "Subject?", "choices": "Order\nOther"}
GIVEN = {"name": "Vera <b>", "email": "vera@example.org", "choice": "Order"}


def place(shop: WidgetSite) -> str:
    return f"/sites/{shop.key}/visitor-form/"


async def ask(client: AsyncClient, shop: WidgetSite, **more: str) -> Any:
    return await client.post(place(shop), {**ASKED, **more}, headers=HTML)


async def is_asked(vera: Visiting) -> bool:
    return bool((await vera.begin()).json()["site"]["asks_details"])


async def test_the_team_sees_what_a_visitor_has_entered(
    alice_client: AsyncClient,
    agent_client: AsyncClient,
    inbox: Inbox,
    chat: str,
    vera: Visiting,
    shop: WidgetSite,
) -> None:
    assert not await is_asked(vera)
    assert (await ask(alice_client, shop)).status_code == 302
    assert await is_asked(vera)
    assert (await vera.post("details", GIVEN)).json() == {"stored": True}
    assert not await is_asked(vera)
    page = (await agent_client.get(inbox(chat), headers=HTML)).content.decode()
    assert "Name: Vera &lt;b&gt;" in page
    assert "Email address: vera@example.org" in page
    assert "Subject: Order" in page
    listed = (await agent_client.get(inbox(), headers=HTML)).content.decode()
    assert "Vera &lt;b&gt;" in listed
    found = await agent_client.get(inbox() + "?q=canoe", headers=HTML)
    assert "Vera &lt;b&gt;" in found.content.decode()
    assert (await vera.begin()).json()["site"]["given_email"] == GIVEN["email"]
    export = await agent_client.get(inbox(chat) + "export.md")
    pieces = [piece.decode() async for piece in export.streaming_content]  # type: ignore[attr-defined]
    assert "Name: Vera \\<b\\>" in "".join(pieces)
    part = next(each for each in PARTS if each.name == "visitor_details")
    owner = (await Conversation.objects.aget()).owner_id
    rows = await sync_to_async(lambda: list(part.rows(owner).values("name", "email", "choice")))()
    assert rows == [GIVEN]


async def test_a_required_form_comes_before_messages(
    alice_client: AsyncClient, vera: Visiting, shop: WidgetSite
) -> None:
    await ask(alice_client, shop, is_required="on")
    refused = await vera.send()
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "details_required")
    for missing in GIVEN:
        sent = await vera.post("details", GIVEN | {missing: " "})
        assert sent.json()["error"]["code"] == "details_incomplete", missing
    wrong = await vera.post("details", GIVEN | {"email": "nobody"})
    assert wrong.json()["error"]["code"] == "invalid_email"
    unknown = await vera.post("details", GIVEN | {"choice": "Something else"})
    assert unknown.status_code == 400
    await vera.post("details", GIVEN)
    assert (await read_stream(await vera.send())).done


async def test_an_optional_form_can_be_skipped_and_only_what_was_asked_is_stored(
    alice_client: AsyncClient, vera: Visiting, shop: WidgetSite
) -> None:
    await ask(alice_client, shop, asks_email="", question="", choices="")
    assert (await read_stream(await vera.send())).done
    await vera.post("details", {})
    assert not await VisitorDetails.objects.aexists()
    await vera.post("details", GIVEN | {"name": "N" * 500})
    stored = await VisitorDetails.objects.aget()
    assert (stored.name, stored.email, stored.choice) == ("N" * 100, "", "")


async def test_who_is_identified_is_not_asked_and_takes_the_answers_along(
    alice_client: AsyncClient, vera: Visiting, shop: WidgetSite
) -> None:
    await ask(alice_client, shop, is_required="on")
    await vera.post("details", GIVEN)
    stranger = await Visitor.objects.aget(site=shop)
    known = await sync_to_async(visitors.make)(shop, "user 7", "Vera")
    await sync_to_async(visitor_details.move)(stranger.user_id, known.user_id)
    assert (await VisitorDetails.objects.aget()).visitor_id == known.pk
    await VisitorDetails.objects.all().adelete()
    await sync_to_async(visitor_details.require)(known)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"choices": "Order"}, "Enter at least two different choices."),
        ({"choices": "Order\nOrder"}, "Enter at least two different choices."),
        ({"question": ""}, "Enter the question that these choices answer."),
    ],
)
async def test_a_question_needs_choices(
    alice_client: AsyncClient, shop: WidgetSite, fields: dict[str, str], words: str
) -> None:
    sent = await ask(alice_client, shop, **fields)
    assert sent.status_code == 422
    assert words in sent.content.decode()


async def test_only_owners_set_the_form_and_remove_it_by_asking_nothing(
    alice_client: AsyncClient, agent_client: AsyncClient, bob: User, shop: WidgetSite
) -> None:
    assert (await ask(agent_client, shop)).status_code == 404
    await ask(alice_client, shop)
    await alice_client.post(place(shop), {})
    assert not await VisitorForm.objects.aexists()


async def test_a_site_that_asks_nothing_stores_nothing(vera: Visiting) -> None:
    assert (await vera.post("details", GIVEN)).status_code == 404
