"""Visitors are told who answers and when, and say afterwards how the help was."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.conversations.models import Takeover
from chat.inbox.models import SiteNotice
from chat.personas.models import Persona
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.opening_hours import DAYS, OpeningHours
from chat.widget_sites.visitor_generation_settings import PERSON_OFFER, visitor_settings_of
from tests.support.widget.visitor_client import Visiting, visit

BERLIN = {"timezone": "Europe/Berlin", "days": [["09:00", "17:00"]] * 5 + [None, None]}
NEVER = {"timezone": "UTC", "days": [None] * DAYS}


def hours(stored: dict[str, Any]) -> OpeningHours:
    found = OpeningHours.of(WidgetSite(opening_hours=stored))
    assert found
    assert found.as_stored() == stored
    return found


@pytest.mark.parametrize(
    ("moment", "is_open", "opens_at"),
    [
        ("2026-11-23T07:59", False, "2026-11-23T08:00"),  # a Monday; Berlin is an hour ahead
        ("2026-11-23T08:00", True, "2026-11-24T08:00"),
        ("2026-11-23T15:59", True, "2026-11-24T08:00"),
        ("2026-11-23T16:00", False, "2026-11-24T08:00"),
        ("2026-11-27T17:00", False, "2026-11-30T08:00"),  # over a weekend
        ("2026-03-27T17:00", False, "2026-03-30T07:00"),  # over the start of summer time
        ("2026-10-23T17:00", False, "2026-10-26T08:00"),  # and over its end
    ],
)
def test_hours_follow_the_clock_of_the_team(moment: str, is_open: bool, opens_at: str) -> None:
    at = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    found = hours(BERLIN)
    assert found.is_open(at) is is_open
    assert found.next_opening(at) == datetime.fromisoformat(opens_at).replace(tzinfo=UTC)


NIGHTS = {
    "timezone": "Europe/Berlin",
    "days": [
        ["09:00", "12:00", "13:00", "17:00"],  # with lunch
        ["21:00", "02:00"],
        ["00:00", "00:00"],
        *[None] * 3,
        ["22:00", "06:00"],
    ],
}


@pytest.mark.parametrize(
    ("moment", "is_open", "opens_at"),
    [
        ("2026-11-23T05:59", True, "2026-11-23T09:00"),  # a Monday, after Sunday night
        ("2026-11-23T06:00", False, "2026-11-23T09:00"),
        ("2026-11-23T11:59", True, "2026-11-23T13:00"),
        ("2026-11-23T12:00", False, "2026-11-23T13:00"),
        ("2026-11-23T13:00", True, "2026-11-24T21:00"),
        ("2026-11-24T02:00", False, "2026-11-24T21:00"),
        ("2026-11-24T23:59", True, "2026-11-25T00:00"),
        ("2026-11-25T00:00", True, "2026-11-29T22:00"),
        ("2026-11-25T23:59", True, "2026-11-29T22:00"),
        ("2026-11-26T00:00", False, "2026-11-29T22:00"),
        ("2026-11-29T23:00", True, "2026-11-30T09:00"),
        ("2026-03-29T04:00", False, "2026-03-29T22:00"),  # summer time begins
    ],
)
def test_hours_may_pass_midnight_last_all_day_or_have_a_pause(
    moment: str, is_open: bool, opens_at: str
) -> None:
    at = datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo("Europe/Berlin"))
    found = hours(NIGHTS)
    assert found.is_open(at) is is_open
    assert found.next_opening(at) == datetime.fromisoformat(opens_at).replace(tzinfo=at.tzinfo)


def test_hours_without_a_day_never_open() -> None:
    now = datetime(2026, 11, 23, tzinfo=UTC)
    assert not hours(NEVER).is_open(now)
    assert hours(NEVER).next_opening(now) is None


async def person(vera: Visiting, chat: str) -> Any:
    return (await vera.get(f"conversations/{chat}/person")).json()


async def test_visitors_are_told_when_nobody_is_there(
    vera: Visiting, chat: str, shop: WidgetSite
) -> None:
    assert (await person(vera, chat))["is_open"]
    await WidgetSite.objects.aupdate(opening_hours=NEVER)
    told = await person(vera, chat)
    assert (told["is_open"], told["opens_at"]) == (False, None)


async def test_a_person_who_has_set_a_name_answers_with_it(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str,
    shop: WidgetSite,
) -> None:  # fmt: skip
    await agent_client.post(inbox(chat) + "takeover/")
    await agent_client.post(inbox(chat) + "turns/", {"text": "Hello", "key": uuid.uuid4().hex})
    assert (await person(vera, chat))["name"] == ""
    turns = (await vera.get(f"conversations/{chat}")).json()["turns"]
    assert "person_name" not in turns[-1]
    saved = await agent_client.post(f"/sites/{shop.key}/team/name/", {"name": "Agnes of the shop"})
    assert saved.status_code == 302
    assert (await person(vera, chat))["name"] == "Agnes of the shop"
    turns = (await vera.get(f"conversations/{chat}")).json()["turns"]
    assert turns[-1]["person_name"] == "Agnes of the shop"
    assert (
        "Agnes of the shop" in (await agent_client.get(f"/sites/{shop.key}/team/")).content.decode()
    )
    long = await agent_client.post(f"/sites/{shop.key}/team/name/", {"name": "A" * 61})
    assert long.status_code == 422


async def test_the_visitor_rates_the_help_once_the_person_has_left(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str,
    shop: WidgetSite,
) -> None:  # fmt: skip
    path = f"conversations/{chat}/help-rating"
    await agent_client.post(inbox(chat) + "takeover/")
    assert (await person(vera, chat))["to_rate"] == 0
    taken = await Takeover.objects.aget()
    rating = {"takeover": taken.pk, "value": -1, "comment": "Too slow"}
    assert (await vera.post(path, rating)).status_code == 404  # still there
    await agent_client.post(inbox(chat) + "handback/")
    assert (await person(vera, chat))["to_rate"] == taken.pk
    other = await visit(shop)
    assert (await other.post(path, rating)).status_code == 404
    assert (await vera.post(path, rating | {"value": 5})).status_code == 400
    assert (await vera.post(path, rating)).json() == {"value": -1}
    assert (await person(vera, chat))["to_rate"] == 0
    page = (await agent_client.get(inbox(chat), headers={"Accept": "text/html"})).content.decode()
    assert "Too slow" in page
    bad = await agent_client.get(inbox() + "?show=bad", headers={"Accept": "text/html"})
    assert chat in bad.content.decode()
    assert await SiteNotice.objects.filter(kind="rated_badly").aexists()


async def test_open_pages_of_the_inbox_learn_how_many_wait(
    agent_client: AsyncClient, bob_client: AsyncClient, vera: Visiting,
    inbox: Callable[..., str], chat: str,
) -> None:  # fmt: skip
    assert (await agent_client.get(inbox("waiting"))).json() == {"waiting": 0, "mine": 0}
    await vera.post(f"conversations/{chat}/person-request")
    assert (await agent_client.get(inbox("waiting"))).json() == {"waiting": 1, "mine": 0}
    assert (await bob_client.get(inbox("waiting"))).status_code == 404


async def test_the_model_is_told_that_it_can_offer_a_person(shop: WidgetSite) -> None:
    read = sync_to_async(visitor_settings_of)
    found = await read(shop.key)
    assert found
    assert found.system_prompt == PERSON_OFFER
    persona = await Persona.objects.acreate(
        owner_id=shop.owner_id, name="Clerk", system_prompt="Be brief."
    )
    await WidgetSite.objects.aupdate(persona=persona)
    found = await read(shop.key)
    assert found
    assert found.system_prompt == f"Be brief.\n\n{PERSON_OFFER}"
    await WidgetSite.objects.aupdate(offers_person=False)
    found = await read(shop.key)
    assert found
    assert found.system_prompt == "Be brief."


SENT = {
    "offers_person": "on", "person_reply": "Soon.", "away_reply": "Later.",
    "canned_replies": "Hello there\n", "person_phrases": "a human\n\n talk to  someone ", "timezone": "Europe/Berlin",
    "since_0": "09:00", "until_0": "17:30", "asks_email": "on",
}  # fmt: skip


async def test_an_owner_sets_hours_and_replies(
    alice_client: AsyncClient, agent_client: AsyncClient, shop: WidgetSite
) -> None:
    place = f"/sites/{shop.key}/people/"
    assert (await alice_client.post(place, SENT)).status_code == 302
    await shop.arefresh_from_db()
    days = [["09:00", "17:30"], *[None] * 6]
    assert shop.opening_hours == {"timezone": "Europe/Berlin", "days": days}
    assert shop.person_phrases == ["a human", "talk to someone"]
    assert shop.canned_replies == ["Hello there"]
    assert (shop.asks_email, shop.mails_transcripts) == (True, False)
    assert 'value="17:30"' in (await alice_client.get(place)).content.decode()
    assert (await agent_client.get(place)).status_code == 404
    night = {"since_0_2": "21:00", "until_0_2": "02:00", "since_6": "00:00", "until_6": "24:00"}
    await alice_client.post(place, SENT | night)
    await shop.arefresh_from_db()
    days = [["09:00", "17:30", "21:00", "02:00"], *[None] * 5, ["00:00", "00:00"]]
    assert shop.opening_hours == {"timezone": "Europe/Berlin", "days": days}
    assert 'value="02:00"' in (await alice_client.get(place)).content.decode()
    await alice_client.post(place, SENT | {"since_0": "", "until_0": ""})
    await shop.arefresh_from_db()
    assert OpeningHours.of(shop) is None
    assert OpeningHours.timezone_of(shop) == "Europe/Berlin"  # for the hours to come


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"until_0": ""}, "Enter both times, or none."),
        ({"since_0_2": "17:00", "until_0_2": "19:00"}, "must begin after the first one ends."),
        ({"since_0": "18:00", "since_0_2": "19:00", "until_0_2": "20:00"}, "must begin after"),
        ({"since_1_2": "18:00"}, "Enter both times, or none."),
        ({"since_0": "nine"}, "Enter a valid time."),
        ({"timezone": "Mars/Olympus"}, "Enter a valid time zone"),
        ({"person_phrases": "a" * 61}, "Each line can have up to 60 characters."),
    ],
)
async def test_what_is_wrong_is_explained_and_nothing_is_lost(
    alice_client: AsyncClient, shop: WidgetSite, wrong: dict[str, str], words: str
) -> None:
    refused = await alice_client.post(f"/sites/{shop.key}/people/", SENT | wrong)
    assert refused.status_code == 422
    page = refused.content.decode()
    assert words in page
    assert "Later." in page
    for value in wrong.values():
        assert value in page
    await shop.arefresh_from_db()
    assert shop.away_reply == ""
