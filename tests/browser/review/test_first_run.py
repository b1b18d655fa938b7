"""An administrator sets up a new site in the page, from the link to the first answer."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite, live_site
from tests.support.browser.accessibility import BARE, axe
from tests.support.servers.model_server import ANSWER, MODEL, TOKEN, model_server
from tests.support.widget.pictures import png

MAKE_SUPERUSER = """
from chat.accounts.models import User
user = User.objects.get(email="ada@example.org")
user.is_staff = user.is_superuser = True
user.save()
"""
PASSWORD = "correct horse battery"
PAGES = (
    "/review/setup/", "/review/site/model/", "/review/site/models/", "/review/site/",
    "/review/site/sign-up/", "/review/site/welcome/",
)  # fmt: skip


@pytest.fixture
def site(tmp_path: Path) -> Iterator[LiveSite]:
    with live_site(tmp_path) as site:
        yield site


@pytest.fixture
def provider() -> Iterator[str]:
    with model_server() as base_url:
        yield base_url


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messages")).to_contain_text("Saved.")


def connect(page: Page, base_url: str) -> None:
    page.get_by_role("link", name="Connect a model").click()
    expect(page.get_by_label("Address")).to_be_hidden()
    page.get_by_label("Another server").check()
    expect(page.get_by_label("Account ID")).to_be_hidden()
    page.get_by_label("Address").fill(base_url)
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Test").click()
    result = page.locator("#trial")
    expect(result).to_contain_text("The provider rejected the account ID or the token.")
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Test").click()
    expect(result).to_contain_text(ANSWER)
    expect(result).to_have_attribute("data-ok", "yes")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messages")).to_contain_text("Connected.")
    page.get_by_label(MODEL).check()
    save(page)


def brand(page: Page) -> None:
    page.get_by_role("link", name="Name, logo and color").click()
    page.get_by_label("Name").fill("Brook")
    page.get_by_label("Accent color").fill("#ffd400")
    picture = {"name": "logo.png", "mimeType": "image/png", "buffer": png(32, 32)}
    page.get_by_label("Logo").set_input_files([picture])  # type: ignore[list-item]
    save(page)
    expect(page.locator(".brand")).to_have_text("Brook")
    expect(page.locator(".brand img")).to_have_js_property("naturalWidth", 32)
    button = page.get_by_role("button", name="Save", exact=True)
    expect(button).to_have_css("background-color", "rgb(128, 106, 0)")


def test_a_new_site_is_set_up_in_the_page(
    open_page: Callable[..., Page], site: LiveSite, provider: str
) -> None:
    link = re.search(r"http\S+(/accounts/setup/\S+)", site.manage("setup_link"))
    assert link
    page = open_page(link[1])
    page.get_by_label("Email").fill("ada@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_text("0 of 8 steps done")).to_be_visible()
    connect(page, provider)
    page.goto(PAGES[0])
    brand(page)
    page.goto(PAGES[0])
    page.get_by_role("link", name="Decide who can sign up").click()
    page.get_by_label("Only people with an invitation").check()
    page.get_by_label("Address of your terms").fill("https://example.org/terms")
    save(page)
    page.goto(PAGES[0])
    page.get_by_role("button", name="Set limits: mark as done").click()
    page.get_by_role("button", name="Decide who handles serious reports: mark as done").click()
    page.get_by_role("link", name="Write example questions").click()
    page.get_by_label("Example questions").fill("Who is on call?")
    page.get_by_label("Announcement").fill("Welcome to Brook")
    save(page)
    page.goto(PAGES[0])
    page.get_by_role("link", name="Invite people").click()
    page.get_by_label("Email addresses").fill("mia@example.org")
    page.get_by_label("Reason").fill("A new colleague")
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_label("Link for mia@example.org")).to_be_visible()
    page.goto(PAGES[0])
    expect(page.get_by_text("8 of 8 steps done")).to_be_visible()
    page.get_by_role("button", name="Dismiss the note").click()
    page.goto("/chat/")
    expect(page.get_by_role("link", name="Set up this site")).to_have_count(0)
    page.get_by_role("button", name="Dismiss the announcement").click()
    expect(page.get_by_text("Welcome to Brook")).to_have_count(0)
    chat = ChatPage(page)
    page.get_by_role("button", name="Who is on call?").click()
    chat.wait_for_end()
    expect(page.get_by_role("log").get_by_text(ANSWER)).to_be_visible()


def test_the_pages_are_accessible_and_fit_a_phone(
    open_page: Callable[..., Page], site: LiveSite
) -> None:
    ada: StorageState = sign_in(site, "ada@example.org")
    site.run(MAKE_SUPERUSER)
    page = open_page(PAGES[0], storage_state=ada, viewport={"width": 320, "height": 700}, **BARE)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for path in PAGES:
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
            assert axe(page) == [], path
