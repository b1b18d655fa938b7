"""Chromium can install the site as an app, and shared text waits in the message box."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chromium import devtools
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def inga(site: LiveSite) -> StorageState:
    return sign_in(site, "inga@example.org")


def test_chromium_finds_nothing_that_prevents_installing(
    open_page: Callable[..., Page], inga: StorageState
) -> None:
    page = open_page("/chat/", storage_state=inga)
    session = devtools(page)
    manifest = session.send("Page.getAppManifest")
    assert (manifest["errors"], manifest["url"]) == (
        [],
        page.url.replace("chat/", "manifest.webmanifest"),
    )
    found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {each["errorId"] for each in found} <= {"in-incognito"}  # as every context of a test is
    assert (
        page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    )


def test_shared_text_waits_in_the_box_below_what_was_written_before(
    open_page: Callable[..., Page], inga: StorageState
) -> None:
    page = open_page("/chat/", storage_state=inga)
    box = page.get_by_role("textbox", name="Message")
    box.fill("A draft")
    page.goto("/chat/?shared_text=Why+do+rivers+bend%3F&shared_url=https%3A%2F%2Fexample.org%2F")
    text = "A draft\n\nWhy do rivers bend?\nhttps://example.org/"
    expect(box).to_have_value(text)
    expect(page.locator(".question")).to_have_count(0)
    assert page.url.endswith("/chat/")  # so that a reload does not share it again
    page.reload()
    expect(box).to_have_value(text)
