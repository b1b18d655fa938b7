"""Rights of staff who read no chats: figures, the audit log, and requests for personal data."""

import re

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group, Permission
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.models import AccessLogEntry, ReviewScope
from chat.review.staff import roles
from chat.review.staff.roles import Right, Role
from tests.review.conftest import SENTINEL, give
from tests.support.review.member_pages import client_of
from tests.support.web.access_matrix import ALL
from tests.support.web.access_paths import body_of, path_to, state_reason
from tests.support.web.signed_in import signed_in_client

#: The pages that each right opens.
PAGES = {
    Right.FIGURES: {
        "review/analytics/",
        "review/analytics/votes/",
        "review/analytics/{name}.{kind}",
        "review/rating-forms/",
        "review/rating-forms/{form}/",
    },
    Right.AUDIT_LOG: {
        "review/audit/",
        "review/audit/actions/",
        "review/audit/access.{kind}",
        "review/audit/actions.{kind}",
    },
    Right.DATA_PROTECTION: {
        "review/data-requests/",
        "review/data-requests/people/{user}/",
    },
    Right.EVALUATION: {
        "review/reason/",
        "review/evaluation/",
        "review/evaluation/{dataset}/",
        "review/evaluation/{dataset}/items.jsonl",
        "review/evaluation/{dataset}/runs/",
        "review/evaluation/{dataset}/runs/{run}/",
        "review/evaluation/{dataset}/runs/{run}/answers.jsonl",
        "review/evaluation/{dataset}/votes/{one}/{other}/",
    },
}
#: A page for a query, which leads elsewhere without one.
COMPARISON = "review/evaluation/{dataset}/comparison/"
NAMES = {"people/{person}": "people/{key}", "sites/{site}": "sites/{key}"}
ROUTES = [
    route.replace("people/{key}", "people/{person}").replace("sites/{key}", "sites/{site}")
    for route in ALL
    if route.startswith("review/")
]


def holder(right: Right) -> User:
    user = User.objects.create_user(f"{right}@example.org", "tide table", name="Rightful")
    return give(user, right)


@pytest.mark.parametrize("right", Right)
async def test_a_right_opens_its_pages_and_no_others(
    right: Right, hers: Conversation, staff: list[AsyncClient]
) -> None:
    client = await sync_to_async(lambda: signed_in_client(holder(right)))()
    await state_reason(client)
    opened = set()
    for route in ROUTES:
        path = (await sync_to_async(path_to)(route, hers)).replace("people.csv", "summary.csv")
        if route in {"review/", COMPARISON}:
            continue
        response = await client.get(path)
        if response.status_code == 200:
            opened.add(route)
            # Copies of chats are what is evaluated.
            assert right == Right.EVALUATION or SENTINEL not in await body_of(response), path
        else:
            assert response.status_code in {404, 405}, path
    assert opened == PAGES[right] | {"review/notifications/"}


@pytest.mark.parametrize(
    ("right", "page"),
    [
        (Right.FIGURES, "/review/analytics/"),
        (Right.AUDIT_LOG, "/review/audit/"),
        (Right.DATA_PROTECTION, "/review/data-requests/"),
        (Right.EVALUATION, "/review/evaluation/"),
    ],
)
def test_review_begins_with_the_first_page_that_somebody_has(
    right: Right, page: str, stop_server_process: None, transactional_db: None
) -> None:
    client = client_of(holder(right))
    assert client.get("/review/").headers["Location"] == page
    client.post("/review/reason/", {"reason": "We test a model"})  # one of them asks for it
    shown = client.get(page).content.decode()
    links = re.findall(r'<a href="(/review/[^"]*)"', shown.partition("</nav>")[0])
    assert links == [page, "/review/notifications/"]


def test_the_account_menu_leads_to_review(stop_server_process: None, bob: User) -> None:
    assert 'href="/review/"' not in client_of(bob).get("/chat/").content.decode()
    give(bob, Right.FIGURES)
    assert 'href="/review/"' in client_of(bob).get("/chat/").content.decode()


def test_figures_name_nobody_and_lead_to_no_chat(
    hers: Conversation, stop_server_process: None
) -> None:
    client = client_of(holder(Right.FIGURES))
    page = client.get("/review/analytics/").content.decode()
    assert "By model" in page
    assert "By person" not in page
    assert hers.owner.email not in page
    assert "/review/?" not in page
    session = client.session
    session["review_reason"] = {"reason": "A monthly report", "until": 4e9}
    session.save()
    assert client.get("/review/analytics/people.csv").status_code == 404
    assert client.get("/review/analytics/models.csv").status_code == 200


def test_figures_are_everybodys_unless_a_scope_limits_them(pupils: Group, bob: User) -> None:
    give(bob, Right.FIGURES)
    assert roles.holder_of(User.objects.get(pk=bob.pk), Right.FIGURES).groups is None
    ReviewScope.objects.create(reviewer=bob, members=pupils)
    assert roles.holder_of(User.objects.get(pk=bob.pk), Right.FIGURES).groups == {pupils.pk}


def test_an_auditor_sees_the_whole_log_without_links_to_chats(
    hers: Conversation, lead: User, bob: User, stop_server_process: None
) -> None:
    AccessLogEntry.objects.create(
        reader=lead.pk, owner=hers.owner_id, conversation=hers.pk, kind="read", reason="Because"
    )
    page = client_of(holder(Right.AUDIT_LOG)).get("/review/audit/").content.decode()
    assert "Because" in page
    assert f"/review/{hers.pk}/" not in page


def test_a_reviewer_with_a_right_has_it_for_everybody_and_reads_as_before(
    reviewer: User, pupils: Group
) -> None:
    user = give(reviewer, Right.AUDIT_LOG)
    assert roles.holder_of(user, Right.AUDIT_LOG).groups is None
    assert roles.holder_of(user, Right.AUDIT_LOG).role is Role.NONE
    reads = roles.reviewer_of(user)
    assert reads
    assert (reads.role, reads.groups) == (Role.REVIEWER, {pupils.pk})


def test_roles_include_rights(lead: User, administrator: User, reviewer: User) -> None:
    assert roles.rights_of(reviewer) == frozenset()
    assert roles.rights_of(lead) == {Right.FIGURES, Right.AUDIT_LOG}
    assert roles.rights_of(administrator) == set(Right)
    administrator.is_active = False
    assert roles.rights_of(administrator) == frozenset()


@pytest.mark.parametrize("right", Right)
def test_each_right_has_a_group(right: Right, transactional_db: None) -> None:
    assert Permission.objects.get(codename=right).group_set.count() <= 1
    assert f"chat.{right}" in roles.PERMISSIONS
