"""Owners ask as visitors would, and keep questions whose sources have to be cited."""

import re
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.outbox.deliver import end_interrupted
from chat.outbox.models import Delivery
from chat.website_answers import case_schedule, cases
from chat.website_answers.models import AnswerCase, CaseSchedule, UnansweredQuestion
from chat.website_sources.models import WebsitePage, WebsiteSource
from chat.widget_sites.models import AnswerMode, WidgetSite
from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.outbox import deliver
from tests.support.website_answers import PAGE, add_page, write_answer
from tests.support.widget.visitor_client import site_of

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

KNOWN = "How many days does delivery of canoes take in Europe?"


@pytest.fixture
async def site(alice: User) -> WidgetSite:
    found: WidgetSite = await site_of(alice, answer_mode=AnswerMode.ONLY)
    await add_page(found)
    return found


async def tried(client: AsyncClient, site: WidgetSite, question: str) -> str:
    place = f"/sites/{site.key}/try/"
    response = await client.post(place, {"question": question}, headers=SAME_ORIGIN)
    return " ".join(response.content.decode().split())


async def test_it_shows_the_answer_its_sources_and_how_near_they_are(
    site: WidgetSite, alice_client: AsyncClient
) -> None:
    shown = await tried(alice_client, site, KNOWN)
    assert "Delivery takes nine days." in shown
    assert re.search(
        r"About the question · words 0\.\d\d · similarity 0\.\d\d · characters 0–", shown
    )
    assert "cited as [1]" in shown
    in_vain = await tried(alice_client, site, "Which gift vouchers do you sell?")
    assert "I couldn&#x27;t find an answer" in in_vain
    assert not await UnansweredQuestion.objects.aexists()


async def test_an_answer_for_the_team_is_not_shown(
    site: WidgetSite, alice_client: AsyncClient
) -> None:
    await write_answer(site, KNOWN, "sentinel-0912", is_for_team=True)
    assert "sentinel-0912" not in await tried(alice_client, site, KNOWN)


async def test_a_case_that_breaks_says_so_and_can_run_again(
    site: WidgetSite, alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = await AnswerCase.objects.acreate(site=site, question=KNOWN, source=PAGE)
    monkeypatch.setattr(cases, "try_question", lambda *_given: 1 // 0)
    await sync_to_async(cases.run_all)(site)
    await deliver(cases.RUN)
    await case.arefresh_from_db()
    assert (case.is_waiting, case.problem) == (False, "failed")
    await sync_to_async(cases.run_all)(site)
    past = timezone.now() - timedelta(seconds=1)
    await Delivery.objects.aupdate(attempts=6, due_at=None, claimed_until=past)
    await sync_to_async(end_interrupted([cases.RUN]))()
    await case.arefresh_from_db()
    assert not case.is_waiting


async def test_a_case_says_when_its_source_is_no_longer_cited(
    site: WidgetSite, alice_client: AsyncClient
) -> None:
    place = f"/sites/{site.key}/try/"
    case = {"question": KNOWN, "source": PAGE}
    await alice_client.post(f"{place}cases/", case, headers=SAME_ORIGIN)

    async def run() -> str:
        await alice_client.post(f"{place}runs/", headers=SAME_ORIGIN)
        await deliver(cases.RUN)
        return (await alice_client.get(place)).content.decode()

    assert "The source is cited." in await run()
    await add_page(site, "We moved.")  # a new version of the page
    assert "Got worse" in await run()
    kept = await AnswerCase.objects.aget()
    assert (kept.was_right, kept.is_right, kept.is_waiting) == (True, False, False)


async def runs_by_itself(site: WidgetSite) -> bool:
    """Return whether the cases run at the next look; the last time was a day ago."""
    await CaseSchedule.objects.aupdate(next_at=timezone.now())
    await sync_to_async(case_schedule.run_due)()
    found = await Delivery.objects.filter(kind=cases.RUN.name).aexists()
    await deliver(cases.RUN)
    return found


async def test_cases_run_by_themselves_once_after_each_change(
    site: WidgetSite, alice_client: AsyncClient
) -> None:
    place = f"/sites/{site.key}/try/"
    await sync_to_async(cases.keep)(site, KNOWN, PAGE)
    assert await runs_by_itself(site)
    assert not await runs_by_itself(site)
    await add_page(site, "We moved.")
    assert await runs_by_itself(site)
    assert "Got worse: 1 of 1" in (await alice_client.get(place)).content.decode()
    await add_page(site, "We moved again.")
    assert await runs_by_itself(site)
    assert await sync_to_async(cases.count_worse)(site) == 1  # still
    await WidgetSite.objects.aupdate(answer_mode=AnswerMode.FIRST)
    assert await runs_by_itself(site)
    await alice_client.post(f"{place}runs/schedule/", headers=SAME_ORIGIN)
    await add_page(site)
    assert not await runs_by_itself(site)


async def test_cases_do_not_run_within_a_day_or_while_pages_are_read(site: WidgetSite) -> None:
    await sync_to_async(cases.keep)(site, KNOWN, PAGE)
    assert await runs_by_itself(site)
    await add_page(site, "We moved.")
    await sync_to_async(case_schedule.run_due)()
    assert not await Delivery.objects.filter(kind=cases.RUN.name).aexists()
    source = await WebsiteSource.objects.acreate(site=site, address=PAGE)
    page = await WebsitePage.objects.acreate(source=source, site=site, address=PAGE)
    assert not await runs_by_itself(site)
    await WebsitePage.objects.filter(pk=page.pk).aupdate(due_at=None)
    assert await runs_by_itself(site)
