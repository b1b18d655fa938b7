"""With `REVIEW_PRIVACY=off`, administrators still manage accounts and the site."""

import re
from typing import Any

import pytest
from django.test import Client

from chat.accounts.models import User
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db

PAGES = [
    "setup/",
    "site/",
    "site/sign-up/",
    "site/welcome/",
    "site/model/",
    "site/tools/",
    "site/tools/new/",
    "find/",
    "find/?q=e",
    "people/",
    "invitations/",
    "groups/",
    "quotas/all/site/",
    "models/",
    "status/",
    "notifications/",
    "audit/",
    "audit/actions/",
]


@pytest.fixture
def client(administrator: User, settings: Any) -> Client:
    settings.REVIEW_PRIVACY = "off"
    return signed_in(administrator)


def links_of(client: Client, path: str) -> list[str]:
    found = client.get(path)
    assert found.status_code == 200, path
    return re.findall(r'href="(/[^"?#]*)', found.content.decode())


@pytest.mark.parametrize("page", PAGES)
def test_a_page_of_administration_is_there_and_leads_only_to_such(
    client: Client, page: str
) -> None:
    leads = {each for each in links_of(client, f"/review/{page}") if each.startswith("/review/")}
    assert "/review/people/" in leads
    for each in sorted(leads):
        shown = client.get(each)  # or a download, which asks for a reason
        where = shown.get("Location", "")
        assert shown.status_code == 200 or where.startswith("/review/reason/"), each


def test_an_account_has_no_link_to_its_chats(client: Client, alice: User) -> None:
    links = links_of(client, f"/review/people/{alice.pk}/account/")
    assert f"/review/people/{alice.pk}/" not in links


def test_the_menu_of_the_chat_offers_administration_only(client: Client) -> None:
    links = links_of(client, "/chat/")
    assert "/review/people/" in links
    assert "/review/" not in links


def test_downloads_of_the_audit_log_still_ask_for_a_reason(client: Client) -> None:
    path = "/review/audit/actions.csv"
    asked = client.get(path)
    assert asked.status_code == 302
    given = client.post("/review/reason/", {"reason": "The yearly report", "next": path})
    assert client.get(given["Location"]).status_code == 200
