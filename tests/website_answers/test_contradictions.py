"""Owners see where passages contradict each other, in drafts and beside answers."""

import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.emulator.scripts.contradictions import ASKS_FOR_CONTRADICTIONS
from chat.knowledge.given import GivenPassage
from chat.outbox.models import Delivery
from chat.quotas.models import Charge
from chat.website_answers import contradictions, grouping, unanswered
from chat.website_answers.contradictions import pairs_in
from chat.website_answers.models import AnswerSnippet, Gap
from chat.widget_sites.models import AnswerMode, WidgetSite
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream
from tests.support.outbox import deliver
from tests.support.website_answers import PAGE, add_page, write_answer
from tests.support.widget.visitor_client import site_of, visit

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

MODEL = "@cf/ibm-granite/granite-4.0-h-micro"
QUESTION = "How many days does delivery of canoes take?"
NINE, TWELVE = "Delivery of canoes takes 9 days.", "Delivery of canoes takes 12 days."
FAQ = "https://www.shop.example/faq"
NOTE = "may contradict"


@pytest.fixture
async def site(alice: User, settings: Any) -> WidgetSite:
    settings.TITLE_MODEL = MODEL
    found: WidgetSite = await site_of(alice, answer_mode=AnswerMode.ONLY, offers_person=True)
    await add_page(found, NINE)
    return found


async def listed(client: AsyncClient, site: WidgetSite) -> str:
    return (await client.get(f"/sites/{site.key}/answers/")).content.decode()


async def checked(site: WidgetSite, answer: str, known: AnswerSnippet | None = None) -> Any:
    snippet = await write_answer(site, QUESTION, answer, known)
    await deliver(contradictions.CHECK)
    return snippet


@pytest.mark.parametrize(
    ("written", "pairs"),
    [
        ('{"pairs": [[1, 2], [3, 1]]}', [(1, 2), (1, 3)]),
        (
            '<think>[[1, 2]]</think>Here:\n```json\n{"pairs": [[2, 1]], "why": {"a": 1}}\n```',
            [(1, 2)],
        ),
        ('{"pairs": [[1, 1], [1, 9], [2, 1], [1, 2]]}', [(1, 2)]),
        ('{"pairs": [[1, 2], [1, 3], [2, 3], [2, 4], [3, 4]]}', [(1, 2), (1, 3), (2, 3)]),
        ('{"pairs": [["1", 2]]}', []),
        ('{"pairs": [[1, 2, 3]]}', []),
        ('{"pairs": [[1, 99999999999999999999999]]}', []),
        ('{"pairs": "<script>"}', []),
        ('{"x": ' + "[" * 3900 + "}", []),
        ('{"pairs": [[1, 2]]}'.rjust(9000), []),
        ('{"pairs": [[0, 1], ["a", 2], [1, 2], 3, [[], 1], [true, 2], [1.0, 2]]}', [(1, 2)]),
        ('```json\n{"pairs": [[1, 2]]}\n```\nThe set {1, 2} is odd.', [(1, 2)]),
        ('{"pairs": [[1, 2]]}\n{"pairs": [[3, 4]]}', [(1, 2)]),
        ("{\ud800}", []),
        ("1 and 2 contradict each other", []),
        ("", []),
    ],
)
def test_only_pairs_of_given_numbers_are_read(written: str, pairs: Any) -> None:
    assert pairs_in(written, {1, 2, 3, 4}) == pairs


def test_the_emulator_recognises_the_request() -> None:
    assert contradictions.INSTRUCTIONS.startswith(ASKS_FOR_CONTRADICTIONS)


async def test_a_draft_comes_with_both_passages_and_their_links(
    site: WidgetSite, alice_client: AsyncClient
) -> None:
    vera = await visit(site)
    await read_stream(await vera.send("What do gift vouchers cost?"))
    await unanswered.until_stored()
    await sync_to_async(grouping.group_next)()
    for address, euros in ((PAGE, 20), (FAQ, 30)):
        await add_page(site, f"Gift vouchers cost {euros} euros.", address)
    gap = await Gap.objects.aget()
    place = f"/sites/{site.key}/gaps/{gap.pk}/draft/"
    page = (await alice_client.post(place, headers=SAME_ORIGIN)).content.decode()
    assert "Passages may contradict each other" in page
    for address, euros in ((PAGE, 20), (FAQ, 30)):
        assert f">Gift vouchers cost {euros} euros.<" in page
        assert f'href="{address}#:~:text=' in page


async def test_an_answer_is_shown_beside_what_contradicts_it_until_it_is_dismissed(
    site: WidgetSite, alice: User, alice_client: AsyncClient
) -> None:
    snippet = await checked(site, "<i>Delivery of canoes takes 12 days.</i>")
    page = await listed(alice_client, site)
    assert NOTE in page
    assert NINE in page
    assert "&lt;i&gt;Delivery" in page
    assert f'href="{PAGE}#:~:text=' in page
    assert await Charge.objects.filter(user=alice, model=MODEL).acount() == 1
    place = f"/sites/{site.key}/answers/{snippet.pk}/dismissal/"
    await alice_client.post(place, headers=SAME_ORIGIN)
    assert NOTE not in await listed(alice_client, site)


async def test_an_answer_that_is_saved_without_a_change_is_not_checked_again(
    site: WidgetSite, alice: User
) -> None:
    snippet = await checked(site, TWELVE)
    await sync_to_async(contradictions.dismiss)(snippet)
    assert (await write_answer(site, QUESTION, TWELVE, snippet)).document_id == snippet.document_id
    await write_answer(site, QUESTION, TWELVE, snippet, is_for_team=True)
    assert not await Delivery.objects.filter(kind=contradictions.CHECK.name).aexists()
    assert (await AnswerSnippet.objects.aget()).contradictions == []
    assert await Charge.objects.filter(user=alice, model=MODEL).acount() == 1


async def test_changes_in_a_row_are_checked_once(site: WidgetSite) -> None:
    snippet = await write_answer(site, QUESTION, "Some days.")
    for days in range(5):
        snippet = await write_answer(site, QUESTION, f"It takes {days} days.", snippet)
    waiting = Delivery.objects.filter(kind=contradictions.CHECK.name)
    assert await waiting.acount() == 1
    await write_answer(site, QUESTION, TWELVE, snippet)
    await deliver(contradictions.CHECK)
    assert await Charge.objects.filter(model=MODEL).acount() == 1
    assert (await AnswerSnippet.objects.aget()).contradictions  # of the last one
    await write_answer(site, QUESTION, NINE, snippet)
    assert await waiting.acount() == 1


@pytest.mark.parametrize("changed", ["page", "answer"])
async def test_what_has_changed_contradicts_nothing_any_more(
    site: WidgetSite, alice_client: AsyncClient, changed: str
) -> None:
    snippet = await checked(site, TWELVE)
    assert NOTE in await listed(alice_client, site)
    if changed == "page":
        await add_page(site, TWELVE)
    else:
        await checked(site, NINE, snippet)
    assert NOTE not in await listed(alice_client, site)


async def test_a_late_check_says_nothing_about_a_newer_text(site: WidgetSite) -> None:
    old = await write_answer(site, QUESTION, TWELVE)
    await write_answer(site, QUESTION, NINE, await AnswerSnippet.objects.aget())
    found = [GivenPassage(1, uuid.uuid4(), "", 0, 1)]
    await sync_to_async(contradictions._store)(old, found)
    assert (await AnswerSnippet.objects.aget()).contradictions == []


async def test_other_answers_are_compared_and_linked_but_not_its_own_versions(
    site: WidgetSite, alice_client: AsyncClient
) -> None:
    other = await write_answer(site, "How long is delivery of canoes?", NINE, is_for_team=True)
    snippet = await checked(site, TWELVE)
    assert len((await AnswerSnippet.objects.aget(pk=snippet.pk)).contradictions) == 2
    page = await listed(alice_client, site)
    assert f'href="/sites/{site.key}/answers/{other.pk}/" target' in page
