"""A conversation as staff see it: every branch, and how each answer ended."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Message, Rating
from tests.review.conftest import add_answer, only_message
from tests.support.review.conversations import new_conversation
from tests.support.review.reason_for_access import begin, page
from tests.support.web.signed_in import signed_in_client


async def test_the_outcome_of_each_answer_is_shown(
    reviewer_client: AsyncClient, alice: User
) -> None:
    chat, answer = await new_conversation(
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
    shown = await page(await begin(reviewer_client), f"/review/{chat.pk}/")
    for words in (
        "The user had received these 8 characters",
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


async def test_every_branch_can_be_read(reviewer_client: AsyncClient, alice: User) -> None:
    chat, _first = await new_conversation(alice, "Rivers?", "The old answer")
    again = await sync_to_async(add_answer)(await sync_to_async(only_message)(chat), "The new one")
    await begin(reviewer_client)
    shown = await page(reviewer_client, f"/review/{chat.pk}/")
    assert 'data-part="text">The new one<' in shown
    assert 'data-part="text">The old answer<' not in shown
    assert "2 branches" in shown
    old = await page(reviewer_client, f"/review/{chat.pk}/", at=again.pk - 1)
    assert 'data-part="text">The old answer<' in old
    assert "A different branch was used more recently" in old


@pytest.mark.parametrize(
    "query", [{"at": "x"}, {"before": "-1"}, {"at": "9" * 30}, {"at": "99999"}]
)
async def test_an_invalid_position_is_refused(
    reviewer_client: AsyncClient, alice: User, query: dict[str, str]
) -> None:
    chat, _answer = await new_conversation(alice, "Rivers?")
    response = await (await begin(reviewer_client)).get(f"/review/{chat.pk}/", query)
    assert response.status_code in {400, 404}


async def test_leads_see_the_log_within_their_scope(
    reviewer_client: AsyncClient, lead_client: AsyncClient, alice: User, rita: User
) -> None:
    chat, _answer = await new_conversation(alice, "A sentence of hers")
    await page(await begin(reviewer_client, "Report 7 of May"), f"/review/{chat.pk}/")
    shown = await page(lead_client, "/review/audit/")
    assert "Report 7 of May" in shown
    assert "rita@example.org" in shown
    assert "A sentence of hers" not in shown
    another = await page(lead_client, "/review/audit/", who=rita.pk, person="bob@example.org")
    assert "Report 7 of May" not in another
    assert (await reviewer_client.get("/review/audit/")).status_code == 404


async def test_a_member_sees_who_read_their_chats(
    reviewer_client: AsyncClient,
    alice_client: AsyncClient,
    bob_client: AsyncClient,
    alice: User,
    settings: Any,
) -> None:
    chat, _answer = await new_conversation(alice, "Rivers?")
    await begin(reviewer_client, "A secret suspicion")
    await page(reviewer_client, "/review/")
    assert "No staff member has viewed your chats" in await page(
        alice_client, "/settings/access-history/"
    )
    await page(reviewer_client, f"/review/{chat.pk}/")
    shown = await page(alice_client, "/settings/access-history/")
    assert "rita@example.org" in shown
    assert "Rivers?" in shown
    assert "title in a list" in shown
    assert "A secret suspicion" not in shown
    assert "rita" not in await page(bob_client, "/settings/access-history/")
    settings.SHOW_ACCESS_HISTORY = False
    shown = await page(alice_client, "/settings/access-history/")
    assert "rita@example.org" not in shown
    assert "Rivers?" not in shown


async def test_with_pseudonyms_no_name_is_shown(
    reviewer_client: AsyncClient, administrator: User, alice: User, settings: Any
) -> None:
    settings.REVIEW_PRIVACY = "pseudonymous"
    chat, answer = await new_conversation(alice, "Rivers?", "Of water")
    await Rating.objects.acreate(message=answer, user=alice, value=1)
    await begin(reviewer_client)
    for query in ({}, {"q": "water"}):
        shown = await page(reviewer_client, "/review/", **query)
        assert "Person " in shown
        assert "Alice" not in shown
    shown = await page(reviewer_client, f"/review/{chat.pk}/")
    assert "Alice" not in shown
    assert "alice@" not in shown
    person = shown.partition("/review/people/")[2].partition("/")[0]
    assert person != str(alice.pk)
    assert "Rivers?" in await page(reviewer_client, "/review/", person=person)
    assert "Rivers?" in await page(reviewer_client, "/review/", person=f"Person {person}")
    assert "Rivers?" not in await page(reviewer_client, "/review/", person="alice@example.org")
    assert "Rivers?" not in await page(reviewer_client, "/review/", person=str(alice.pk))
    administrator_client = await begin(await sync_to_async(signed_in_client)(administrator))
    assert "Alice" in await page(administrator_client, f"/review/{chat.pk}/")


@pytest.mark.parametrize("path", ["/review/", "/review/reason/"])
async def test_scripts_on_staff_pages_may_not_connect(
    reviewer_client: AsyncClient, path: str
) -> None:
    await begin(reviewer_client)
    policy = (await reviewer_client.get(path))["Content-Security-Policy"]
    assert "connect-src 'none'" in policy
    assert "trusted-types 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("text", "reason", "told"),
    [
        ("Well", "content_filter", "provider's content filter stopped"),
        ("", "content_filter", "provider's content filter blocked"),
        ("", "stop", "empty answer"),
    ],
)
async def test_an_answer_ended_by_a_filter_or_limit_says_so(
    text: str, reason: str, told: str, reviewer_client: AsyncClient, alice: User
) -> None:
    chat, _answer = await new_conversation(alice, "Where?", text, finish_reason=reason)
    await begin(reviewer_client)
    assert told in await page(reviewer_client, f"/review/{chat.pk}/")
