"""Owners let answers have buttons and cards: the model is told, and the frame knows where cards may lead."""

import json
from html import unescape
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.emulator.scripts.follow_ups import QUESTIONS
from chat.generations.follow_ups import follow_up_writer
from chat.website_sources.models import WebsiteSource
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.visitor_generation_settings import (
    CARDS_OFFER,
    PERSON_OFFER,
    visitor_settings_of,
)
from tests.support.generations.follow_ups import suggest_questions
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.recorded_emulator import record_requests
from tests.support.widget.takeovers import shown
from tests.support.widget.visitor_client import Visiting

SENT = {"name": "Shop", "origins": "https://www.shop.example"}


async def frame_of(site: WidgetSite) -> str:
    return (await AsyncClient().get(f"/w/{site.key}/")).content.decode()


def origins_in(page: str) -> list[str]:
    found: list[str] = json.loads(unescape(page.partition('data-cards="')[2].partition('"')[0]))
    return found


async def test_they_are_off_until_the_owner_turns_them_on(
    alice_client: AsyncClient, shop: WidgetSite, vera: Visiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = record_requests(monkeypatch)
    for is_on in (False, True, False):
        sent = SENT | ({"has_cards": "on"} if is_on else {})
        path = f"/sites/{shop.key}/settings/"
        assert (await alice_client.post(path, sent)).status_code == 302
        page = (await alice_client.get(path)).content.decode()
        assert ("checked" in page.partition('name="has_cards"')[2].partition(">")[0]) == is_on
        assert ("data-cards" in await frame_of(shop)) == is_on
        await read_stream(await vera.send())
        assert (b"language `cards`" in asked.pop()[1]) == is_on


async def test_what_is_offered_follows_the_personas_prompt(shop: WidgetSite) -> None:
    await WidgetSite.objects.aupdate(has_cards=True, offers_person=True)
    found = await sync_to_async(visitor_settings_of)(shop.key)
    assert found is not None
    assert found.system_prompt == f"{PERSON_OFFER}\n\n{CARDS_OFFER}"


async def test_cards_lead_to_the_owners_websites_and_to_pages_that_visitors_get_answers_from(
    shop: WidgetSite,
) -> None:
    await WidgetSite.objects.aupdate(
        has_cards=True, origins=['https://*.shop.example"', "https://a.example"]
    )
    for address, is_for_team in (
        ("https://docs.shop.example/start", False),
        ("https://docs.shop.example/other", False),
        ("https://team.shop.example/", True),
        ("http://old.example/", False),
    ):
        await WebsiteSource.objects.acreate(site=shop, address=address, is_for_team=is_for_team)
    assert origins_in(await frame_of(shop)) == [
        'https://*.shop.example"',
        "https://a.example",
        "https://docs.shop.example",
    ]


async def test_an_answer_with_buttons_suggests_nothing_besides(
    vera: Visiting, settings: Any
) -> None:
    settings.TITLE_MODEL = "@cf/ibm-granite/granite-4.0-h-micro"
    await suggest_questions()
    await WidgetSite.objects.aupdate(has_cards=True, suggests_questions=True)
    for text in ("Hello", "/cards"):
        response = await vera.send(text)
        await read_stream(response)
        await follow_up_writer.until_written()
        (_question, answer) = await shown(vera, str(response["X-Conversation-Id"]))
        assert answer.get("follow_ups", []) == ([] if text == "/cards" else list(QUESTIONS))
