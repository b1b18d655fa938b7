"""Answers that people write are found while they are valid; those for the team never by visitors."""

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.knowledge.access import searched_for_team, searched_for_visitors
from chat.knowledge.models import Document
from chat.knowledge.search import search
from chat.website_answers import snippets
from chat.website_answers.models import AnswerSnippet
from chat.website_answers.snippets import SnippetText
from chat.widget_sites.models import SiteMember, WidgetSite
from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.knowledge.collections import index_documents
from tests.support.website_answers import write_answer
from tests.support.widget.visitor_client import site_of

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

QUESTION = "Do you repair paddles/oars?"
FORM = {"question": QUESTION, "answer": "Yes, in a week."}
SENTINEL = "sentinel-7319"


@pytest.fixture
async def site(alice: User) -> WidgetSite:
    found: WidgetSite = await site_of(alice)
    return found


@sync_to_async
def texts(site: WidgetSite, question: str, *, for_team: bool = False) -> list[str]:
    """Return the names of the documents in which something is found."""
    among = searched_for_team(site) if for_team else searched_for_visitors(site.key)
    hits = search(among, question, None, "", 10)
    return [AnswerSnippet.objects.get(document=each.document_id).answer for each in hits]


async def test_it_is_found_once_it_is_saved_and_replaced_when_it_is_edited(
    site: WidgetSite, alice_client: AsyncClient
) -> None:
    place = f"/sites/{site.key}/answers/"
    made = await alice_client.post(f"{place}new/", FORM, headers=SAME_ORIGIN)
    assert made.status_code == 302
    await index_documents()
    assert await texts(site, QUESTION) == ["Yes, in a week."]
    assert "In use" in (await alice_client.get(place)).content.decode()

    snippet = await AnswerSnippet.objects.aget()
    changed = FORM | {"question": "Are paddles repaired?", "answer": "No."}
    await alice_client.post(f"{place}{snippet.pk}/", changed, headers=SAME_ORIGIN)
    await index_documents()
    assert await texts(site, "paddles oars") == ["No."]

    await alice_client.post(f"{place}{snippet.pk}/deletion/", headers=SAME_ORIGIN)
    assert await texts(site, "paddles") == []


async def test_one_for_the_team_never_reaches_visitors(site: WidgetSite) -> None:
    public = await write_answer(site, QUESTION, SENTINEL)
    assert await texts(site, QUESTION) == [SENTINEL]
    await write_answer(site, QUESTION, SENTINEL, public, is_for_team=True)
    assert await texts(site, QUESTION) == []
    assert await texts(site, QUESTION, for_team=True) == [SENTINEL]


@pytest.mark.parametrize("change", ["team", "delete", "expire"])
async def test_no_version_outlives_a_change_before_the_new_one_is_found(
    change: str, site: WidgetSite, alice: User
) -> None:
    snippet = await write_answer(site, QUESTION, SENTINEL)
    await index_documents()

    @sync_to_async
    def write(known: AnswerSnippet, answer: str, **more: Any) -> None:
        snippets.write(site, alice, SnippetText(QUESTION, answer, **more), known)

    await write(snippet, "Yes.")
    if change == "team":
        await write(snippet, "Yes.", is_for_team=True)  # in the form as it was before
    elif change == "delete":
        await sync_to_async(snippets.remove)(snippet)
    else:
        await write(snippet, "Yes.", valid_until=timezone.localdate() - timedelta(days=1))
    await index_documents()
    found = await Document.objects.filter(content__text__contains=SENTINEL).acount()
    assert (found, await texts(site, QUESTION)) == (0, [])


async def test_names_that_look_alike_are_different_answers(site: WidgetSite) -> None:
    for question in ("Open 9/17.html?", "Open 9\u221517.html?"):
        await write_answer(site, question, f"<b>{question}</b>")
    await index_documents()
    assert len(await texts(site, "Open 17 html")) == 2


async def test_it_is_no_longer_found_after_its_last_day(
    site: WidgetSite, alice_client: AsyncClient
) -> None:
    today = timezone.localdate()
    snippet = await write_answer(site, QUESTION, "Until today.", valid_until=today)
    await sync_to_async(snippets.remove_expired)()
    assert await texts(site, QUESTION) == ["Until today."]
    await AnswerSnippet.objects.filter(pk=snippet.pk).aupdate(valid_until=today - timedelta(days=1))
    await sync_to_async(snippets.remove_expired)()
    assert await texts(site, QUESTION) == []
    listed = await alice_client.get(f"/sites/{site.key}/answers/")
    assert "Expired" in listed.content.decode()


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({}, "already an answer"),
        ({"question": ""}, "required"),
        ({"question": "Other?", "valid_until": "2020-01-01"}, "in the past"),
    ],
)
async def test_what_cannot_be_saved_says_why(
    site: WidgetSite, alice_client: AsyncClient, changed: Any, error: str
) -> None:
    await write_answer(site, QUESTION, "Yes.")
    place = f"/sites/{site.key}/answers/new/"
    refused = await alice_client.post(place, FORM | changed, headers=SAME_ORIGIN)
    assert refused.status_code == 422
    assert error in refused.content.decode()


async def test_agents_and_owners_of_other_websites_do_not_find_them(
    site: WidgetSite, bob: User, bob_client: AsyncClient
) -> None:
    snippet = await write_answer(site, QUESTION, SENTINEL)
    other = await site_of(bob)
    await SiteMember.objects.acreate(site=site, user=bob, role=SiteMember.Role.AGENT)
    for key in (site.key, other.key):
        response = await bob_client.get(f"/sites/{key}/answers/{snippet.pk}/")
        assert response.status_code == 404
    assert (await bob_client.get(f"/sites/{site.key}/answers/")).status_code == 404
