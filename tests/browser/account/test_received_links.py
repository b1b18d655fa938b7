"""Share a chat with one person by name, who finds it and loses it again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser import history
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow, too_small

OWNER, READER = "olivia@example.org", "remi@example.org"
GROUPS = """
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from chat.accounts.models import User
owner, reader = (User.objects.get(email=each) for each in {emails!r})
EmailAddress.objects.create(user=reader, email=reader.email, verified=True)
for name in ("Choir", "A group with a rather long name, as groups of large schools have"):
    owner.groups.add(Group.objects.create(name=name))
"""


@pytest.fixture(scope="module")
def people(site: LiveSite) -> tuple[StorageState, StorageState]:
    states = sign_in(site, OWNER), sign_in(site, READER)
    site.run(GROUPS.format(emails=(OWNER, READER)))
    return states


@pytest.fixture
def sharing(site: LiveSite, people: object, tmp_path: Path) -> str:
    """Return the path on which a chat is shared."""
    return history.conversation(site, tmp_path, OWNER, ["Water is **wet**."]) + "sharing/"


@pytest.mark.quick
def test_a_chat_is_shared_with_one_person_and_taken_back(
    open_page: Callable[..., Page],
    people: tuple[StorageState, StorageState],
    sharing: str,
    site: LiveSite,
) -> None:
    owner = open_page(sharing.removesuffix("sharing/"), storage_state=people[0])
    owner.get_by_role("link", name="Share", exact=True).click()
    dialog = owner.locator("#sharing")  # its name changes with what it shows
    expect(dialog.get_by_label("Email addresses")).to_be_hidden()
    dialog.get_by_label("Only people I choose").check()
    dialog.get_by_role("button", name="Create link").click()
    expect(dialog.get_by_text("Enter at least one email address, or choose")).to_be_visible()
    dialog.get_by_label("Email addresses").fill("Remi@example.org")
    dialog.get_by_role("button", name="Create link").click()
    expect(dialog.get_by_text("Only these can open it:")).to_contain_text(READER)
    path = dialog.get_by_label("Link address").input_value().removeprefix(site.url)

    stranger = open_page(path)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Page not found")
    reader = open_page("/chat/", storage_state=people[1])
    expect(reader.get_by_text("Somebody has shared a chat with you.")).to_be_visible()
    reader.get_by_role("link", name="Show it").click()
    expect(reader.get_by_text("Shared by olivia@example.org")).to_be_visible()
    reader.get_by_role("link", name="Question 0").or_(reader.locator(".shared-link-title")).click()
    expect(reader.locator(".message-text.formatted")).to_have_text("Water is wet.")

    dialog.get_by_role("link", name="Who can open it").click()
    expect(dialog.get_by_role("heading", name="Who can open the link")).to_be_visible()
    dialog.get_by_label("Email addresses").fill("")
    dialog.get_by_label("Choir").check()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("Only these can open it:")).to_contain_text("Choir")
    answer = reader.reload()
    assert answer
    assert answer.status == 404
    dialog.get_by_role("link", name="Who can open it").click()
    expect(dialog.get_by_role("heading", name="Who can open the link")).to_be_visible()
    dialog.get_by_label("Anyone with the link").check()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("Anyone with the link can open it.")).to_be_visible()
    stranger.reload()
    expect(stranger.locator(".message-text.formatted")).to_have_text("Water is wet.")


def test_sharing_with_people_works_without_scripts(
    open_page: Callable[..., Page], people: tuple[StorageState, StorageState], sharing: str
) -> None:
    page = open_page(sharing, storage_state=people[0], java_script_enabled=False)
    page.get_by_label("Only people I choose").check()
    page.get_by_label("Email addresses").fill(READER)
    page.get_by_role("button", name="Create link").click()
    expect(page.get_by_text("Only these can open it:")).to_contain_text(READER)
    page.get_by_role("link", name="Who can open it").click()
    expect(page.get_by_label("Email addresses")).to_have_value(READER)
    page.get_by_label("Choir").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Only these can open it:")).to_contain_text("Choir")
    reader = open_page("/shared/with-me/", storage_state=people[1], java_script_enabled=False)
    reader.get_by_role("button", name="Remove").first.click()
    expect(reader.get_by_text("Removed.")).to_be_visible()


@pytest.mark.parametrize(
    "options",
    [{"color_scheme": "dark", "locale": "ar"} | PHONE, {"locale": "en"}],
    ids=["dark phone", "desktop"],
)
def test_its_pages_fit_and_are_accessible(
    open_page: Callable[..., Page],
    people: tuple[StorageState, StorageState],
    sharing: str,
    options: dict[str, Any],
) -> None:
    page = open_page(sharing, storage_state=people[0], **options | BARE)
    page.locator("[name=audience][value=chosen]").check()
    page.locator("[name=people]").fill(READER)
    assert axe(page) == []
    assert overflow(page) <= 0
    page.locator(".share-form .main").click()
    change = page.locator("a[href*=recipients]").get_attribute("href")
    for path in ("/shared/", change, "/shared/with-me/"):
        is_readers = path == "/shared/with-me/"
        page = open_page(path or "", storage_state=people[int(is_readers)], **options | BARE)
        assert axe(page) == [], path
        assert overflow(page) <= 0, path
        if "is_mobile" in options:
            small = [each for each in too_small(page) if 'type="' not in each]  # the label counts
            assert small == [], path
