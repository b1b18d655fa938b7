"""Pages about a chat that was erased show its cases, and never 404."""

import csv
import io
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone
from django.utils.formats import date_format

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.case_models import Case
from chat.review.models import AccessLogEntry
from tests.review.conftest import give
from tests.support.review.cases import erase
from tests.support.review.member_pages import WHY
from tests.support.review.queue import reported
from tests.support.review.reason_for_access import begin, page
from tests.support.web.access_paths import body_of
from tests.support.web.signed_in import signed_in_client


@pytest.fixture
async def client(lead_client: AsyncClient) -> AsyncClient:
    return await begin(lead_client)


@pytest.fixture
async def resolved(client: AsyncClient, alice: User) -> Case:
    """Return a confirmed case whose chat is erased."""
    case: Case = await reported(alice, "Of rivers", "He said so")
    sent = {"resolve-reason": WHY, "outcome": "confirmed"}
    await client.post(f"/review/cases/{case.pk}/resolution/", sent)
    await sync_to_async(erase)(case)
    return case


async def test_the_page_of_an_erased_chat_shows_its_cases(
    client: AsyncClient, resolved: Case, alice: User
) -> None:
    shown = await page(client, f"/review/{resolved.chat_id}/")
    assert f"The chat was erased on {date_format(timezone.localtime())}" in shown
    assert "Confirmed case" in shown
    assert WHY in shown
    assert "Of rivers" not in shown
    assert "He said so" not in shown
    entry = await AccessLogEntry.objects.alatest("pk")
    assert (entry.conversation, entry.owner) == (resolved.chat_id, alice.pk)
    response = await client.post(f"/review/cases/{resolved.pk}/reopening/")
    assert response["Location"] == f"/review/{resolved.chat_id}/"
    assert "Open case" in await page(client, f"/review/{resolved.chat_id}/")
    refused = await client.post(
        f"/review/cases/{resolved.pk}/resolution/", {"outcome": "dismissed"}
    )
    assert refused.status_code == 422
    assert "Erased chat" in refused.content.decode()


async def test_the_queue_and_the_staff_actions_link_to_it(
    client: AsyncClient, resolved: Case
) -> None:
    link = f'href="/review/{resolved.chat_id}/"'
    for path in ("/review/queue/?state=confirmed", "/review/queue/?state=all&source=1"):
        shown = await page(client, path)
        assert link in shown
        assert "Erased chat" in shown
    assert link in await page(client, "/review/audit/actions/")


@pytest.mark.parametrize("text", ["", "&text=1"])
async def test_exports_have_cases_of_erased_chats(
    client: AsyncClient, resolved: Case, text: str
) -> None:
    rows: Any = await body_of(await client.get(f"/review/queue/export.csv?state=all{text}"))
    (row,) = csv.DictReader(io.StringIO(rows.removeprefix("\ufeff")))
    assert (row["chat"], row["outcome"]) == (str(resolved.chat_id), "confirmed")
    assert row["chat_erased"]
    lines: Any = await body_of(await client.get(f"/review/queue/export.jsonl?state=all{text}"))
    assert json.loads(lines)["chat_erased"] == row["chat_erased"]
    assert "Of rivers" not in rows + lines
    assert "He said so" not in rows + lines


async def test_others_find_no_page_and_their_request_is_recorded(resolved: Case, bob: User) -> None:
    outsider = await sync_to_async(give)(bob, "lead_review")
    client = await begin(await sync_to_async(signed_in_client)(outsider))
    for path in (f"/review/{resolved.chat_id}/", f"/review/cases/{resolved.pk}/reopening/"):
        call = client.post if "cases" in path else client.get
        assert (await call(path)).status_code == 404
        entry = await AccessLogEntry.objects.alatest("pk")
        assert (entry.kind, entry.conversation) == ("refused", resolved.chat_id)


async def test_a_decision_says_before_when_a_deleted_chat_is_erased(
    client: AsyncClient, alice: User
) -> None:
    case = await reported(alice)
    path = f"/review/{case.chat_id}/"
    assert "permanently erased" not in await page(client, path)
    await Conversation.objects.aupdate(purge_after=timezone.now())
    shown = await page(client, path)
    assert "If you dismiss the case, the chat is permanently erased on" in shown
    sent = {"resolve-reason": WHY, "outcome": "dismissed"}
    await client.post(f"/review/cases/{case.pk}/resolution/", sent)
    assert "Reopen</button>" in await page(client, path)
