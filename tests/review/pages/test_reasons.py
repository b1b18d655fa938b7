"""A reason is required before anything is shown, and other users get 404."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.review.models import AccessLogEntry
from tests.support.review.conversations import new_conversation
from tests.support.review.reason_for_access import page
from tests.support.web.signed_in import signed_in_client
from tests.support.widget.visitor_client import make_site


async def test_the_reason_is_asked_for_once_and_kept_for_a_while(
    reviewer_client: AsyncClient, alice: User, settings: Any
) -> None:
    chat, _answer = await new_conversation(alice, "Where do rivers begin?")
    path = f"/review/{chat.pk}/"
    response = await reviewer_client.get(path)
    assert response.status_code == 302
    assert response["Location"] == f"/review/reason/?next=%2Freview%2F{chat.pk}%2F"
    assert await AccessLogEntry.objects.acount() == 0
    response = await reviewer_client.post(
        "/review/reason/", {"reason": "Report  7 of May", "next": path}
    )
    assert response["Location"] == path
    assert "Report 7 of May" in await page(reviewer_client, path)
    assert (await AccessLogEntry.objects.aget()).reason == "Report 7 of May"
    settings.REVIEW_REASON_MINUTES = 0  # nobody is asked
    assert "Report 7 of May" not in await page(reviewer_client, path)


@pytest.mark.parametrize(
    "route",
    [
        "audit/", "audit/actions/", "analytics/", "people/", "invitations/", "groups/", "models/",
        "status/", "rules/", "rules/new/", "sites/{site}/",
    ],
)  # fmt: skip
async def test_pages_without_chats_ask_for_no_reason(
    administrator: User, stop_server_process: None, alice: User, route: str
) -> None:
    site = await sync_to_async(make_site)(alice)
    client = await sync_to_async(signed_in_client)(administrator)
    response = await client.get(f"/review/{route.format(site=site.key)}")
    assert response.status_code == 200


@pytest.mark.parametrize(
    "next_",
    [
        "https://attacker.invalid/", "//attacker.invalid", "/\t/attacker.invalid", "", "nonsense:",
        "queue", "?x", "no-such-name",
    ],
)  # fmt: skip
async def test_the_reason_page_redirects_to_this_site_only(
    reviewer_client: AsyncClient, next_: str
) -> None:
    response = await reviewer_client.post(
        "/review/reason/", {"reason": "A report of today", "next": next_}
    )
    assert response["Location"] == "/review/"


@pytest.mark.parametrize("reason", ["", "   ", "x", "a report", "... - ...", "a b " * 60])
async def test_a_reason_without_enough_words_is_refused(
    reviewer_client: AsyncClient, reason: str
) -> None:
    response = await reviewer_client.post("/review/reason/", {"reason": reason})
    assert response.status_code == 422
    assert (await reviewer_client.get("/review/")).status_code == 302


async def test_with_reading_turned_off_pages_with_chats_answer_404(
    reviewer_client: AsyncClient, settings: Any
) -> None:
    settings.REVIEW_PRIVACY = "off"
    for path in ("/review/", "/review/live/", "/review/queue/", "/review/rules/"):
        assert (await reviewer_client.get(path)).status_code == 404


async def test_staff_without_a_second_factor_are_redirected_to_its_setup(
    reviewer_client: AsyncClient, rita: User, alice_client: AsyncClient, settings: Any
) -> None:
    settings.STAFF_TWO_FACTOR = True
    for path in ("/review/", "/review/reason/", "/admin/login/"):
        response = await reviewer_client.get(path)
        assert (response.status_code, response["Location"]) == (302, "/accounts/2fa/"), path
    assert (await reviewer_client.get("/admin/")).status_code == 302
    assert (await alice_client.get("/chat/")).status_code == 200
    await Authenticator.objects.acreate(user=rita, type="totp", data={"secret": "x"})
    assert (await reviewer_client.get("/admin/")).status_code == 200
    assert (await reviewer_client.get("/review/reason/")).status_code == 200
