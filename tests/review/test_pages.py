"""The staff finds and reads: what pages show, to whom, and what they ask first."""

from typing import Any
from urllib.parse import urlencode

import pytest
from allauth.mfa.models import Authenticator
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Message, Rating
from chat.review.models import AccessLogEntry, SavedSearch, StaffNote
from tests.conftest import browser_of
from tests.review.conftest import add_answer, give, only_message, say
from tests.support.pages import begin, page


@pytest.fixture
def staff(reviewer: User, life_ends: None) -> AsyncClient:
    return browser_of(reviewer)


@pytest.fixture
def leads(lead: User, life_ends: None) -> AsyncClient:
    return browser_of(lead)


@sync_to_async
def talk(owner: User, question: str, answer: str = "Water.", **facts: object) -> Any:
    chat = say(owner, question, answer, **facts)
    return chat, Message.objects.filter(conversation=chat).last()


async def test_a_reason_is_asked_first_and_kept_for_a_while(
    staff: AsyncClient, alice: User, settings: Any
) -> None:
    chat, _answer = await talk(alice, "Where do rivers begin?")
    path = f"/review/{chat.pk}/"
    response = await staff.get(path)
    assert response.status_code == 302
    assert response["Location"] == f"/review/reason/?next=%2Freview%2F{chat.pk}%2F"
    assert await AccessLogEntry.objects.acount() == 0
    response = await staff.post("/review/reason/", {"reason": "Report  7 of May", "next": path})
    assert response["Location"] == path
    assert "Report 7 of May" in await page(staff, path)
    assert (await AccessLogEntry.objects.aget()).reason == "Report 7 of May"
    settings.REVIEW_REASON_MINUTES = 0  # nobody is asked
    assert "Report 7 of May" not in await page(staff, path)


@pytest.mark.parametrize(
    "next_",
    [
        "https://attacker.invalid/", "//attacker.invalid", "/\t/attacker.invalid", "", "nonsense:",
        "queue", "?x", "no-such-name",
    ],
)  # fmt: skip
async def test_after_the_reason_nobody_is_led_elsewhere(staff: AsyncClient, next_: str) -> None:
    response = await staff.post("/review/reason/", {"reason": "A report of today", "next": next_})
    assert response["Location"] == "/review/"


@pytest.mark.parametrize("reason", ["", "   ", "x", "a report", "... - ...", "a b " * 60])
async def test_a_reason_that_is_none_is_asked_again(staff: AsyncClient, reason: str) -> None:
    response = await staff.post("/review/reason/", {"reason": reason})
    assert response.status_code == 422
    assert (await staff.get("/review/")).status_code == 302


async def test_the_list_shows_chats_in_scope(staff: AsyncClient, alice: User, bob: User) -> None:
    await talk(alice, "Where do rivers begin?", state="stopped")
    await talk(bob, "Where do lakes end?")
    shown = await page(await begin(staff), "/review/")
    assert "Where do rivers begin?" in shown
    assert "Alice" in shown
    assert "Stopped" in shown
    assert "lakes" not in shown


async def test_all_words_of_everybody_are_found(leads: AsyncClient, alice: User, bob: User) -> None:
    chat, answer = await talk(alice, "Where do they begin?", "Rivers begin in the hills.")
    await talk(bob, "And lakes?", "Some rivers end there.")
    await begin(leads)
    shown = await page(leads, "/review/", q="rivers")
    assert shown.count("<mark>Rivers</mark>") + shown.count("<mark>rivers</mark>") == 2
    assert f"/review/{chat.pk}/?at={answer.pk}#m{answer.pk}" in shown
    only_hers = await page(leads, "/review/", q="rivers", person="alice@example.org")
    assert "And lakes?" not in only_hers
    assert "No results" in await page(leads, "/review/", q="glaciers")


async def test_a_conversation_shows_what_became_of_each_answer(
    staff: AsyncClient, alice: User
) -> None:
    chat, answer = await talk(
        alice,
        "Rivers?",
        "They beg",
        state="stopped",
        model="@cf/meta/llama",
        first_token_milliseconds=230,
        milliseconds=1500,
        total_tokens=42,
        prompt_tokens=30,
        completion_tokens=12,
        neurons=1.25,
        cost_usd=0.000123,
    )
    await Message.objects.filter(pk=answer.pk).aupdate(reasoning="Let me think")
    await Rating.objects.acreate(
        message=answer, user=alice, value=-1, reason="wrong", comment="Not so"
    )
    shown = await page(await begin(staff), f"/review/{chat.pk}/")
    for words in (
        "Stopped. The 8 characters shown here",
        "Let me think",
        "0.23 s",
        "1.5 s",
        "30 + 12",
        "1.25",
        "$0.000123",
        "@cf/meta/llama",
        "Bad answer",
        "Not so",
        "8",
    ):
        assert words in shown, words


async def test_every_branch_can_be_read(staff: AsyncClient, alice: User) -> None:
    chat, _first = await talk(alice, "Rivers?", "The old answer")
    again = await sync_to_async(add_answer)(await sync_to_async(only_message)(chat), "The new one")
    await begin(staff)
    shown = await page(staff, f"/review/{chat.pk}/")
    assert 'data-part="words">The new one<' in shown
    assert 'data-part="words">The old answer<' not in shown
    assert "2 branches" in shown
    old = await page(staff, f"/review/{chat.pk}/", at=again.pk - 1)
    assert 'data-part="words">The old answer<' in old
    assert "A different branch was used more recently" in old


@pytest.mark.parametrize(
    "query", [{"at": "x"}, {"before": "-1"}, {"at": "9" * 30}, {"at": "99999"}]
)
async def test_a_place_that_is_none_is_refused(
    staff: AsyncClient, alice: User, query: dict[str, str]
) -> None:
    chat, _answer = await talk(alice, "Rivers?")
    response = await (await begin(staff)).get(f"/review/{chat.pk}/", query)
    assert response.status_code in {400, 404}


FACETS: list[tuple[dict[str, str], bool]] = [
    ({"model": "@cf/meta/llama-3.1-8b-instruct"}, False),
    ({"model": "Test/mod"}, True),
    ({"state": "stopped"}, True),
    ({"state": "failed"}, False),
    ({"state": "running"}, False),
    ({"rating": "bad"}, True),
    ({"rating": "good"}, False),
    ({"cost": "0.5"}, True),
    ({"cost": "0.51"}, False),
    ({"since": "2020-01-01"}, True),
    ({"until": "2020-01-01"}, False),
    ({"person": "ALICE"}, True),
    ({"person": "bob"}, False),
    ({"noted": "on"}, True),
    ({"q": "rivers", "state": "stopped"}, True),
    ({"q": "rivers", "state": "failed"}, False),
]


@pytest.mark.parametrize(("facets", "is_there"), FACETS, ids=str)
async def test_facets_narrow_the_list(
    staff: AsyncClient, alice: User, facets: dict[str, str], is_there: bool
) -> None:
    chat, answer = await talk(alice, "Rivers?", state="stopped", cost_usd=0.5)
    await Rating.objects.acreate(message=answer, user=alice, value=-1)
    await StaffNote.objects.acreate(conversation=chat, text="Refresh")
    shown = await page(await begin(staff), "/review/", **facets)
    assert (f"/review/{chat.pk}/" in shown) == is_there


@pytest.mark.parametrize(
    "facets",
    [
        {"since": "x"},
        {"since": "0001-01-01"},
        {"until": "9999-12-31"},
        {"cost": "-1"},
        {"cost": "nan"},
        {"group": "99"},
        {"q": "x" * 201},
    ],
    ids=str,
)
async def test_a_facet_that_means_nothing_is_refused_in_words(
    staff: AsyncClient, alice: User, facets: dict[str, str]
) -> None:
    await talk(alice, "Rivers?")
    response = await (await begin(staff)).get("/review/", facets)
    assert response.status_code == 422
    assert "Rivers?" not in response.content.decode()


@pytest.mark.parametrize("place", ["x", "1,2", "9" * 30])
async def test_a_page_that_is_none_is_refused(staff: AsyncClient, place: str) -> None:
    await begin(staff)
    for query in ({"from": place}, {"from": place, "q": "rivers"}):
        assert (await staff.get("/review/", query)).status_code == 400


async def test_pages_follow_each_other(leads: AsyncClient, alice: User) -> None:
    made = [(await talk(alice, f"River {number}"))[0] for number in range(53)]
    await begin(leads)
    first = await leads.get("/review/")
    assert first.content.decode().count("data-step") == 50
    second = await page(leads, "/review/", **{"from": first.context["next"]})
    assert second.count("data-step") == 3
    assert f"/review/{made[0].pk}/" in second
    hits = await leads.get("/review/", {"q": "river"})
    assert hits.content.decode().count("data-step") == 20
    more = await page(leads, "/review/", q="river", **{"from": hits.context["next"]})
    assert more.count("data-step") == 20


async def test_groups_of_ones_scope_can_be_chosen(
    staff: AsyncClient, pupils: Group, alice: User
) -> None:
    other = await Group.objects.acreate(name="Choir")
    await talk(alice, "Rivers?")
    shown = await page(await begin(staff), "/review/", group=pupils.pk)
    assert "Pupils" in shown
    assert "Choir" not in shown
    assert "Rivers?" in shown
    assert (await staff.get("/review/", {"group": other.pk})).status_code == 422


async def test_notes_are_for_the_staff(
    staff: AsyncClient, leads: AsyncClient, alices: AsyncClient, alice: User
) -> None:
    chat, _answer = await talk(alice, "Rivers?")
    path = f"/review/{chat.pk}/notes/"
    await begin(staff)
    await begin(leads)
    assert (await staff.post(path, {"text": "Ask her\r\ntomorrow"})).status_code == 302
    note = await StaffNote.objects.aget()
    assert note.text == "Ask her\ntomorrow"
    assert "Ask her" in await page(leads, f"/review/{chat.pk}/")
    assert "Ask her" not in await page(alices, f"/chat/{chat.pk}/")
    assert (await leads.post(f"/review/notes/{note.pk}/deletion/")).status_code == 404  # another's
    refused = await staff.post(path, {"text": "x" * 4001})
    assert refused.status_code == 422
    assert "x" * 4001 in refused.content.decode()  # what was typed is not lost
    assert (await staff.post(f"/review/notes/{note.pk}/deletion/")).status_code == 302
    assert await StaffNote.objects.acount() == 0


async def test_a_note_beside_what_one_may_not_see_is_refused(staff: AsyncClient, bob: User) -> None:
    chat, _answer = await talk(bob, "Lakes?")
    await begin(staff)
    assert (await staff.post(f"/review/{chat.pk}/notes/", {"text": "x"})).status_code == 404


async def test_views_are_kept_and_shared(staff: AsyncClient, leads: AsyncClient) -> None:
    await begin(staff)
    await begin(leads)
    sent = {"name": "Stopped", "query": "state=stopped", "is_shared": "on"}
    assert (await staff.post("/review/views/", sent)).status_code == 302
    assert (await leads.post("/review/views/", sent | {"name": "For all"})).status_code == 302
    shown = await page(staff, "/review/")
    assert 'href="?state=stopped"' in shown
    assert "For all" in shown
    assert "Stopped</bdi>" not in await page(leads, "/review/")  # reviewers do not share
    shared = await SavedSearch.objects.aget(name="For all")
    assert (await staff.post(f"/review/views/{shared.pk}/deletion/")).status_code == 404
    assert (await leads.post(f"/review/views/{shared.pk}/deletion/")).status_code == 302


async def test_the_longest_search_is_kept_whole_and_no_longer_one(leads: AsyncClient) -> None:
    await begin(leads)
    longest = {"q": "水" * 200, "person": "😀" * 254, "model": "😀" * 200, "state": "failed"}
    query = urlencode(longest)
    await leads.post("/review/views/", {"name": "Long", "query": query})
    assert (await SavedSearch.objects.aget()).query == query
    await leads.post("/review/views/", {"name": "Longer", "query": "x" * 10_001})
    assert await SavedSearch.objects.acount() == 1
    assert "too long to save" in await page(leads, "/review/")


async def test_a_view_is_shared_as_long_as_its_owner_leads(
    staff: AsyncClient, leads: AsyncClient, lead: User
) -> None:
    await begin(staff)
    view = await SavedSearch.objects.acreate(owner=lead, name="For all", is_shared=True)
    assert "For all" in await page(staff, "/review/")
    await lead.user_permissions.aclear()
    assert "For all" not in await page(staff, "/review/")
    await sync_to_async(give)(lead, "review")
    await begin(leads)
    assert f"/review/views/{view.pk}/deletion/" in await page(leads, "/review/")  # theirs still


async def test_a_shared_view_tells_no_name_where_there_are_pseudonyms(
    staff: AsyncClient, leads: AsyncClient, administrator: User, settings: Any
) -> None:
    query = "person=alice%40example.org&state=failed"
    await SavedSearch.objects.acreate(owner=administrator, name="V", query=query, is_shared=True)
    await begin(staff)
    assert "alice%40example.org" in await page(staff, "/review/")
    settings.REVIEW_PRIVACY = "pseudonymous"
    shown = await page(staff, "/review/")
    assert "alice%40" not in shown
    assert 'href="?state=failed"' in shown


async def test_leads_see_the_record_within_their_scope(
    staff: AsyncClient, leads: AsyncClient, alice: User, rita: User
) -> None:
    chat, _answer = await talk(alice, "A sentence of hers")
    await page(await begin(staff, "Report 7 of May"), f"/review/{chat.pk}/")
    shown = await page(leads, "/review/audit/")
    assert "Report 7 of May" in shown
    assert "rita@example.org" in shown
    assert "A sentence of hers" not in shown
    assert "Report 7 of May" not in await page(leads, "/review/audit/", who=alice.pk)
    assert (await staff.get("/review/audit/")).status_code == 404


async def test_a_member_sees_who_read_their_chats(
    staff: AsyncClient, alices: AsyncClient, bobs: AsyncClient, alice: User, settings: Any
) -> None:
    chat, _answer = await talk(alice, "Rivers?")
    await begin(staff, "A secret suspicion")
    await page(staff, "/review/")
    assert "No staff member has viewed your chats" in await page(
        alices, "/settings/access-history/"
    )
    await page(staff, f"/review/{chat.pk}/")
    shown = await page(alices, "/settings/access-history/")
    assert "rita@example.org" in shown
    assert "Rivers?" in shown
    assert "title in a list" in shown
    assert "A secret suspicion" not in shown
    assert "rita" not in await page(bobs, "/settings/access-history/")
    settings.SHOW_ACCESS_HISTORY = False
    shown = await page(alices, "/settings/access-history/")
    assert "rita@example.org" not in shown
    assert "Rivers?" not in shown


async def test_pseudonyms_stand_in_place_of_names(
    staff: AsyncClient, administrator: User, alice: User, settings: Any
) -> None:
    settings.REVIEW_PRIVACY = "pseudonymous"
    chat, answer = await talk(alice, "Rivers?", "Of water")
    await Rating.objects.acreate(message=answer, user=alice, value=1)
    await begin(staff)
    for query in ({}, {"q": "water"}):
        shown = await page(staff, "/review/", **query)
        assert "Person " in shown
        assert "Alice" not in shown
    shown = await page(staff, f"/review/{chat.pk}/")
    assert "Alice" not in shown
    assert "alice@" not in shown
    person = shown.partition("/review/people/")[2].partition("/")[0]
    assert person != str(alice.pk)
    assert "Rivers?" in await page(staff, "/review/", person=person)
    assert "Rivers?" in await page(staff, "/review/", person=f"Person {person}")
    assert "Rivers?" not in await page(staff, "/review/", person="alice@example.org")
    assert "Rivers?" not in await page(staff, "/review/", person=str(alice.pk))
    adams = await begin(await sync_to_async(browser_of)(administrator))
    assert "Alice" in await page(adams, f"/review/{chat.pk}/")


async def test_where_nobody_is_to_read_there_is_nothing(staff: AsyncClient, settings: Any) -> None:
    settings.REVIEW_PRIVACY = "off"
    for path in ("/review/", "/review/reason/", "/review/audit/"):
        assert (await staff.get(path)).status_code == 404


async def test_staff_without_a_second_factor_is_led_to_it(
    staff: AsyncClient, rita: User, alices: AsyncClient, settings: Any
) -> None:
    settings.STAFF_TWO_FACTOR = True
    for path in ("/review/", "/review/reason/", "/admin/login/"):
        response = await staff.get(path)
        assert (response.status_code, response["Location"]) == (302, "/accounts/2fa/"), path
    assert (await staff.get("/admin/")).status_code == 302
    assert (await alices.get("/chat/")).status_code == 200
    await Authenticator.objects.acreate(user=rita, type="totp", data={"secret": "x"})
    assert (await staff.get("/admin/")).status_code == 200
    assert (await staff.get("/review/reason/")).status_code == 200


@pytest.mark.parametrize("path", ["/review/", "/review/reason/"])
async def test_scripts_of_the_staff_may_ask_for_nothing(staff: AsyncClient, path: str) -> None:
    await begin(staff)
    policy = (await staff.get(path))["Content-Security-Policy"]
    assert "connect-src 'none'" in policy
    assert "trusted-types 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("text", "reason", "told"),
    [
        ("Well", "content_filter", "provider’s content filter stopped"),
        ("", "content_filter", "provider’s content filter blocked"),
        ("", "stop", "empty answer"),
    ],
)
async def test_an_answer_that_only_looks_finished_is_told_for_what_it_is(
    text: str, reason: str, told: str, staff: AsyncClient, alice: User
) -> None:
    chat, _answer = await talk(alice, "Where?", text, finish_reason=reason)
    await begin(staff)
    assert told in await page(staff, f"/review/{chat.pk}/")
