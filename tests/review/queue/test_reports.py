"""Reporting an answer or a chat, which appears in the queue."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.review.case_models import Case, Flag
from chat.widget_sites import visitors
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.review.queue import reported
from tests.support.review.reason_for_access import begin, page
from tests.support.widget.visitor_client import make_site


async def report(client: AsyncClient, path: str, body: Any) -> Any:
    return await client.post(path, body, content_type="application/json")


async def test_members_report_an_answer_or_a_chat(alice_client: AsyncClient, alice: User) -> None:
    response = await send(alice_client, text="Where do rivers begin?")
    await read_stream(response)
    chat, answer = response["X-Conversation-Id"], response["X-Message-Id"]
    path = f"/chat/{chat}/messages/{answer}/report"
    done = await report(alice_client, path, {"reason": "harmful", "comment": " It is. "})
    assert (done.status_code, done.json()) == (201, {"reported": True})
    done = await report(alice_client, f"/chat/{chat}/report", {"reason": "other"})
    assert done.status_code == 201
    rows = [
        each async for each in Flag.objects.values_list("message", "reason", "comment", "person")
    ]
    assert rows == [(int(answer), "harmful", "It is.", alice.pk), (None, "other", "", alice.pk)]


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"reason": "nonsense"}, 400, "reason"),
        ({}, 400, "reason"),
        ({"reason": "wrong", "comment": "x" * 1001}, 400, "1,001 characters. The limit is 1,000"),
    ],
)
async def test_an_invalid_report_is_refused_with_the_reason(
    alice_client: AsyncClient, body: Any, status: int, said: str
) -> None:
    response = await send(alice_client, text="Hello")
    await read_stream(response)
    refused = await report(alice_client, f"/chat/{response['X-Conversation-Id']}/report", body)
    assert refused.status_code == status
    assert said in refused.json()["error"]["message"]
    assert not await Case.objects.aexists()


async def test_questions_and_other_members_messages_cannot_be_reported(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    response = await send(alice_client, text="Hello")
    await read_stream(response)
    path = f"/chat/{response['X-Conversation-Id']}/messages/{response['X-Question-Id']}/report"
    assert (await report(alice_client, path, {"reason": "wrong"})).status_code == 400
    assert (await report(bob_client, path, {"reason": "wrong"})).status_code == 404


async def test_reports_are_rate_limited(alice_client: AsyncClient) -> None:
    response = await send(alice_client, text="Hello")
    await read_stream(response)
    path = f"/chat/{response['X-Conversation-Id']}/report"
    taken = 0
    while (status := (await report(alice_client, path, {"reason": "wrong"})).status_code) == 201:
        taken += 1
    assert status == 429
    assert 10 <= taken < 20  # a minute may end in between


async def test_a_thumbs_down_appears_in_the_queue(alice_client: AsyncClient) -> None:
    response = await send(alice_client, text="Hello")
    await read_stream(response)
    path = f"/chat/{response['X-Conversation-Id']}/messages/{response['X-Message-Id']}/rating"
    body = {"value": -1, "reason": "harmful", "comment": "Ouch"}
    await report(alice_client, path, body)
    flag = await Flag.objects.select_related("case").aget()
    assert (flag.source, flag.comment, flag.case.severity) == (Flag.Source.THUMB, "Ouch", 2)
    await report(alice_client, path, {"value": 0})
    assert not await Case.objects.aexists()


async def test_an_open_chat_fetches_the_form(alice_client: AsyncClient) -> None:
    assert 'name="about"' not in (await alice_client.get("/chat/")).content.decode()
    form = await alice_client.get("/chat/report/")
    assert 'name="about"' in form.content.decode()


async def test_nothing_is_reported_where_nobody_may_read(
    alice_client: AsyncClient, settings: Any
) -> None:
    settings.REVIEW_PRIVACY = "off"
    assert 'id="report"' not in (await alice_client.get("/chat/")).content.decode()
    assert (await alice_client.get("/chat/report/")).status_code == 404


async def test_a_visitor_of_a_website_reports(
    alice: User, lead: User, lead_client: AsyncClient
) -> None:
    site = await sync_to_async(make_site)(alice)
    vera = (await sync_to_async(visitors.make)(site, subject="v", name="Vera")).user
    await reported(vera, "Of parcels")
    shown = await page(await begin(lead_client), "/review/queue/", site=site.pk)
    assert "Of parcels" in shown
    assert "Vera" in shown
