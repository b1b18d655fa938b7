"""The settings are in groups: each page marks its own, and no page of them is lost."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse

from chat.accounts.models import User
from chat.personas.models import Prompt

pytestmark = pytest.mark.django_db
CURRENT = re.compile(r'<a href="([^"]+)" aria-current="(\w+)">')
GROUPS = {
    "General": "/settings/",
    "Personalization": "/settings/personalization/",
    "Personas": "/personas/",
    "Prompts": "/prompts/",
    "Chats and data": "/settings/data/",
    "Security": "/settings/security/",
    "Usage": "/settings/usage/",
    "API": "/settings/api/",
    "Websites": "/sites/",
}
#: The pages of each group that is not a page alone.
PAGES = {
    "/settings/data/": [
        "/settings/import/",
        "/chat/archive/",
        "/shared/",
        "/settings/access-history/",
        "/settings/delete-account/",
    ],
    "/settings/security/": [
        "/settings/devices/",
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/2fa/",
    ],
    "/personas/": ["/personas/new/"],
    "/prompts/": ["/prompts/new/", "/prompts/import/"],
    "/sites/": ["/sites/new/"],
}
TEMPLATES = [
    each
    for folder in ("settings", "account", "mfa", "api_keys", "sharing", "sites")
    for each in sorted((Path(settings.BASE_DIR) / "templates" / folder).rglob("*.html"))
]


def test_each_group_has_a_page_that_marks_it_and_links_to_all_others(browser: Client) -> None:
    for address in GROUPS.values():
        page = browser.get(address).content.decode()
        assert CURRENT.findall(page) == [(address, "page")]
        for name, other in GROUPS.items():
            assert re.search(rf'<a href="{other}"[^>]*>{name}</a>', page), (address, name)


@pytest.mark.parametrize("group", PAGES)
def test_a_page_of_a_group_leads_back_to_it(browser: Client, group: str) -> None:
    label = next(name for name, address in GROUPS.items() if address == group)
    for address in PAGES[group]:
        page = browser.get(address).content.decode()
        assert CURRENT.findall(page) == [(group, "true")], address
        back = page.partition('<p class="settings-back">')[2].partition("</p>")[0]
        assert f'<a href="{group}">' in back
        assert label in back


@pytest.mark.parametrize("group", ["/settings/data/", "/settings/security/"])
def test_a_group_links_to_its_pages(browser: Client, group: str) -> None:
    page = browser.get(group).content.decode()
    assert all(f'href="{address}"' in page for address in PAGES[group])


def test_the_page_of_a_prompt_belongs_to_the_prompts(browser: Client, alice: User) -> None:
    prompt = Prompt.objects.create(owner=alice, name="Sum up", text="Sum up")
    page = browser.get(reverse("prompt", args=[prompt.pk])).content.decode()
    assert CURRENT.findall(page) == [("/prompts/", "true")]


def test_groups_that_a_member_does_not_have_are_left_out(browser: Client, rita: User) -> None:
    with override_settings(API_KEYS="off", WIDGET_SITES="staff", SHARING=False):
        page = browser.get("/settings/data/").content.decode()
        assert not any(address in page for address in ("/settings/api/", "/sites/", "/shared/"))
    with override_settings(API_KEYS="staff", WIDGET_SITES="staff"):
        browser.force_login(rita)
        page = browser.get("/settings/").content.decode()
        assert "/settings/api/" in page
        assert "/sites/" in page


def test_the_security_page_says_how_things_are(browser: Client) -> None:
    page = browser.get("/settings/security/").content.decode()
    assert "Not set up" in page
    assert "1 device" in page


def test_dates_have_one_style_on_all_pages_of_the_settings() -> None:
    formats = {"DATE_FORMAT", "DATETIME_FORMAT", "c", "Y-m-d"}  # the latter two for programs
    for each in TEMPLATES:
        found = set(re.findall(r'\|date:"([^"]+)"', each.read_text()))
        assert found <= formats, each
