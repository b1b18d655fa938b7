"""A request of a staff member for what is outside their scope is in the access log, too."""

import re
import uuid

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.case_models import Case
from chat.review.models import AccessLogEntry
from tests.review.conftest import give
from tests.support.review.cases import make_case
from tests.support.review.member_pages import WHY
from tests.support.web.access_matrix import ALL
from tests.support.web.access_paths import path_to, state_reason
from tests.support.web.signed_in import signed_in_client

#: Staff pages about one chat, case, note, person or website.
PLACES = [
    route.replace("people/{key}", "people/{person}").replace("sites/{key}", "sites/{site}")
    for route in ALL
    if re.match(
        r"review/(.*\{conversation\}|cases/\{case\}|notes/\{note\}|people/\{key\}|sites/\{key\})",
        route,
    )
]
#: The form of what is posted is checked first.
WRONG_FORMS = {("post", "review/{conversation}/turns/")}
#: Not for leads at all, wherever it is.
OF_ADMINISTRATORS = {("post", "review/sites/{site}/scopes/")}


@pytest.fixture
def lead_of_others(staff: list[AsyncClient]) -> AsyncClient:
    """Return a lead, who may use all of these pages, but not for alice."""
    leo = User.objects.create_user("leo@example.org", "tide table")
    return signed_in_client(give(leo, "lead_review", Group.objects.get(name="Choir")))


def test_every_kind_of_place_is_tried() -> None:
    tried = {part for route in PLACES for part in route.split("/") if part.startswith("{")}
    assert {"{conversation}", "{case}", "{person}", "{site}"} <= tried
    assert len(PLACES) >= 25


async def test_what_is_out_of_scope_is_refused_and_recorded(
    hers: Conversation, lead_of_others: AsyncClient
) -> None:
    await state_reason(lead_of_others)
    reader = (await User.objects.aget(email="leo@example.org")).pk
    wrong, seen = [], 0
    for route in PLACES:
        path = await sync_to_async(path_to)(route, hers)
        chat = None if "{person}" in route or "{site}" in route else hers.pk
        for method in ("get", "post"):
            response = await getattr(lead_of_others, method)(path, {"reason": WHY})
            if response.status_code == 405 or (method, route) in WRONG_FORMS | OF_ADMINISTRATORS:
                continue
            found = await sync_to_async(list)(AccessLogEntry.objects.order_by("pk")[seen:])
            seen += len(found)
            entries = [(each.reader, each.kind, each.owner, each.conversation) for each in found]
            due = [(reader, "refused", hers.owner_id, chat)]
            if response.status_code != 404 or entries != due or not found[0].reason:
                wrong.append((method, route, response.status_code, entries))
    assert wrong == []


async def test_what_does_not_exist_is_not_recorded(
    hers: Conversation, lead_of_others: AsyncClient
) -> None:
    await state_reason(lead_of_others)
    case = (await Case.objects.alatest("pk")).pk + 1
    for method, path in (
        ("get", f"{uuid.uuid4()}/"),
        ("get", "people/123456/"),
        ("get", "sites/none/"),
        ("post", f"cases/{case}/claim/"),
    ):
        response = await getattr(lead_of_others, method)(f"/review/{path}", {"reason": WHY})
        assert response.status_code == 404
    assert not await AccessLogEntry.objects.aexists()


async def test_what_is_in_scope_is_not_recorded_as_refused(
    hers: Conversation, staff: list[AsyncClient]
) -> None:
    await state_reason(staff[0])
    for path in (f"{hers.pk}/", f"people/{hers.owner_id}/", f"{hers.pk}/live/none/"):
        await staff[0].get(f"/review/{path}")
    assert not await AccessLogEntry.objects.filter(kind="refused").aexists()


async def test_cases_out_of_scope_among_selected_ones_are_recorded(
    hers: Conversation, bob: User, lead_of_others: AsyncClient
) -> None:
    await state_reason(lead_of_others)
    reader = await User.objects.aget(email="leo@example.org")
    case = await Case.objects.aget()
    group = await Group.objects.aget(name="Choir")
    await bob.groups.aadd(group)
    his = await sync_to_async(make_case)(bob)
    data = {"case": [case.pk, his.pk, his.pk + 1], "action": "claim", "reason": WHY}
    response = await lead_of_others.post("/review/queue/selection/", data)
    assert response.status_code == 302
    await his.arefresh_from_db()
    assert his.assignee_id == reader.pk
    refused = AccessLogEntry.objects.filter(kind="refused")
    assert [each.conversation async for each in refused] == [hers.pk]
