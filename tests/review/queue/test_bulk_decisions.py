"""Resolving several cases at once asks first, and can be undone."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient
from django.utils import timezone
from django.utils.formats import date_format

from chat.accounts.models import User
from chat.generations.deletion.soft_delete import delete
from chat.review.case_models import Case
from chat.review.cases import holds
from chat.web.review.http import bulk_actions
from tests.review.conftest import give
from tests.support.review.queue import reported
from tests.support.review.reason_for_access import begin, page

PATH = "/review/queue/selection/"
UNDO = "Undo</button>"
DISMISS = {"action": "dismissed", "resolve-reason": "All the same joke"}


async def states() -> list[tuple[int, int | None]]:
    found = Case.objects.order_by("pk").values_list("state", "assignee")
    return [(state, assignee) async for state, assignee in found]


async def post(client: AsyncClient, **sent: Any) -> str:
    response = await client.post(PATH, sent)
    assert response.status_code == 200
    return str(response.content.decode())


async def test_nothing_is_resolved_before_the_question_is_answered(
    reviewer_client: AsyncClient, alice: User
) -> None:
    severe = await reported(alice, "Of rivers", reason="harmful")
    mild = await reported(alice, "Of lakes")
    client, before = await begin(reviewer_client), await states()
    asked = await post(client, case=[severe.pk, mild.pk], **DISMISS)
    assert "Dismiss 2 cases?" in asked
    assert "Of high severity: 1" in asked
    assert asked.count("All the same joke") == 3  # in the question, its form and the list's form
    assert await states() == before
    asked = await post(client, case=mild.pk, **DISMISS | {"action": "confirmed"})
    assert "Confirm 1 case?" in asked
    assert "Of high severity" not in asked
    await client.post(PATH, {"case": [severe.pk, mild.pk], "sure": "yes", **DISMISS})
    assert {state for state, _assignee in await states()} == {Case.State.RESOLVED}


async def test_a_reason_is_required_before_the_question(
    reviewer_client: AsyncClient, alice: User
) -> None:
    case = await reported(alice)
    client = await begin(reviewer_client)
    for sure in ({}, {"sure": "yes"}):
        sent = {"case": case.pk, "action": "dismissed", "resolve-reason": "no", **sure}
        response = await client.post(PATH, sent)
        assert response.status_code == 422
        assert "Dismiss 1 case?" not in response.content.decode()
    assert (await states())[0][0] == Case.State.OPEN


async def test_undo_gives_cases_back_to_who_had_them(
    reviewer_client: AsyncClient, alice: User, reviewer: User
) -> None:
    mine, nobodys = await reported(alice, "Of rivers"), await reported(alice, "Of lakes")
    client = await begin(reviewer_client)
    await client.post(f"/review/cases/{mine.pk}/claim/")
    before = await states()
    assert before == [(Case.State.IN_WORK, reviewer.pk), (Case.State.OPEN, None)]
    both = {"case": [mine.pk, nobodys.pk]}
    await client.post(PATH, {**both, "sure": "yes", **DISMISS})
    for _view in range(2):
        assert UNDO in await page(client, "/review/queue/")
    await client.post(PATH, {**both, "action": "reopen"})
    assert await states() == before
    assert UNDO not in await page(client, "/review/queue/")


async def test_undo_is_offered_for_an_hour(
    reviewer_client: AsyncClient, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = await reported(alice)
    client = await begin(reviewer_client)
    await client.post(PATH, {"case": case.pk, "sure": "yes", **DISMISS})
    assert UNDO in await page(client, "/review/queue/")
    monkeypatch.setattr(bulk_actions, "UNDO_SECONDS", 0.0)
    assert UNDO not in await page(client, "/review/queue/")


async def test_the_question_says_when_deleted_chats_are_erased(
    lead_client: AsyncClient, alice: User
) -> None:
    deleted, kept = await reported(alice, "Of rivers"), await reported(alice, "Of lakes")
    await sync_to_async(lambda: delete(deleted.conversation))()
    client = await begin(lead_client)
    in_days = {"dismissed": holds.RELEASED_DAYS, "confirmed": 90}
    for action, days in in_days.items():
        asked = await post(client, case=[deleted.pk, kept.pk], **DISMISS | {"action": action})
        day = date_format(timezone.localtime() + timedelta(days=days))
        assert f"It is permanently erased on {day}. Until then, you can reopen the case." in asked
    asked = await post(client, case=kept.pk, **DISMISS)
    assert "erased" not in asked


async def test_only_those_who_may_review_a_case_of_the_list_are_offered(
    lead_client: AsyncClient, lead: User, reviewer: User, alice: User, bob: User
) -> None:
    ben = await sync_to_async(User.objects.create_user)(
        "ben@example.org", "tide table", name="Ben Choir"
    )
    choir = await Group.objects.acreate(name="Choir")
    await sync_to_async(give)(ben, "review", choir)
    mine, other = await reported(alice, "Of rivers"), await reported(bob, "Of lakes")
    client = await begin(lead_client)
    shown = await page(client, "/review/queue/")
    assert f'<option value="{reviewer.pk}">' in shown
    assert "Ben Choir" not in shown
    sent = {"case": [mine.pk, other.pk], "action": "assign", "assignee": reviewer.pk}
    done = await client.post("/review/queue/selection/", sent, follow=True)
    words = unescape(done.content.decode())
    assert "1 case assigned." in words
    assert f"1 case unchanged: {reviewer} isn't allowed to review this case." in words
