"""A website's owner creates a site, copies its tag, adds a key and checks a page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import LONG_WORD, overflow, too_small
from tests.support.browser.narrow_phone import NARROW
from tests.support.variants import later

MAKE = """
from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite
owner = User.objects.get(email={email!r})
site = WidgetSite.objects.create(owner=owner, name={name!r}, origins=["https://{name}.example"[:60]], is_suspended=True)
print(site.key)
"""
PAGES = ("look/", "people/", "", "settings/", "keys/", "check/", "deletion/")


def test_a_site_is_created_tagged_and_checked(
    open_page: Callable[..., Page], site: LiveSite
) -> None:
    state = sign_in(site, "otto-builds@example.org")
    page = open_page("/chat/", storage_state=state)
    page.get_by_role("button", name="Account").click()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Websites").click()
    page.get_by_role("link", name="New website").click()
    page.get_by_label("Name").fill("Shop")
    page.get_by_label("Allowed websites").fill("shop.example\nhttps://a.example/shop")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("“shop.example”: Start with https://")).to_be_visible()
    expect(page.get_by_text("Enter only https://a.example")).to_be_visible()
    page.get_by_label("Allowed websites").fill("https://shop.example")
    page.get_by_label("Messages per minute per visitor").fill("5")
    page.get_by_label("Name").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Shop")

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    tag = page.evaluate("navigator.clipboard.readText()")
    assert tag.startswith(f'<script async src="{site.url}/w.js" data-site="')
    assert tag.endswith('"></script>')

    page.get_by_role("link", name="Check a page").click()
    expect(page.get_by_label("Page address")).to_have_value("https://shop.example/")
    page.get_by_label("Page address").fill(f"{site.url}/accounts/login/")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("The tag isn't in the page")).to_be_visible()
    page.get_by_role("link", name="Back to website").click()

    page.get_by_role("link", name="Identity keys").click()
    page.get_by_role("button", name="Create").click()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    secret = page.evaluate("navigator.clipboard.readText()")
    assert secret == page.get_by_role("textbox", name="Secret").input_value()
    page.get_by_role("button", name="Revoke key").click()
    expect(page.get_by_text("Key revoked.")).to_be_visible()
    expect(page.get_by_role("button", name="Revoke key")).to_have_count(0)


@pytest.fixture(scope="module")
def otto(site: LiveSite) -> StorageState:
    return sign_in(site, "otto@example.org")


@pytest.mark.parametrize("theme", ["dark", *later("light")])
def test_the_pages_are_accessible_and_fit_a_phone(
    open_page: Callable[..., Page], site: LiveSite, otto: StorageState, theme: str
) -> None:
    key = site.run(MAKE.format(email="otto@example.org", name=LONG_WORD[:80]))
    page = open_page("/sites/", storage_state=otto, color_scheme=theme, **NARROW, **BARE)
    for path in ("", "new/", *(f"{key}/{rest}" for rest in PAGES)):
        page.goto(f"/sites/{path}")
        if path.endswith("check/"):
            page.get_by_label("Page address").fill(f"{site.url}/accounts/login/")
        if path.endswith(("new/", "keys/", "check/")):
            page.locator(".sheet-form .button.main").click()
        for direction in ("ltr", "rtl"):
            page.evaluate("direction => (document.documentElement.dir = direction)", direction)
            assert overflow(page) <= 0, (path, direction)
            labelled = ('type="radio"', 'type="checkbox"')  # their label is large enough
            small = [each for each in too_small(page) if not any(map(each.count, labelled))]
            assert small == [], (path, direction)
        assert axe(page) == [], path


def test_the_preview_page_shows_the_chat_as_a_website_does(
    open_page: Callable[..., Page], site: LiveSite
) -> None:
    state = sign_in(site, "oscar@example.org")
    # Chromium warns that the sandbox has little effect if page and frame have the same origin.
    page = open_page("/sites/new/", storage_state=state, watched=False)
    page.get_by_label("Name").fill("Garden")
    page.get_by_label("Welcome").fill("What grows with you?")
    page.get_by_label("Name").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Garden")
    address = page.url
    page.goto(f"{address}preview/")
    with page.expect_event("framenavigated", lambda each: "/w/" in each.url) as found:
        page.evaluate("Runnel.open()")
    chat = found.value
    expect(chat.get_by_text("What grows with you?")).to_be_visible()
    chat.get_by_role("textbox").fill("Hello")
    chat.get_by_role("textbox").press("Enter")
    expect(chat.get_by_role("button", name="Copy answer")).to_be_visible()
    page.goto(address)
    expect(page.locator(".usage-figures dd").last).to_have_text("1")
