"""The browser does the proof of work at sign-up under the site's content security policy."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP
from tests.browser.server import LiveSite, live_site
from tests.browser.watch import Watch
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow
from tests.support.variants import later


@pytest.fixture(scope="module")
def braked_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    with live_site(tmp_path_factory.mktemp("braked"), SIGN_UP_PROOF_OF_WORK="100") as site:
        yield site


@pytest.fixture
def open_form(braked_site: LiveSite, browser: Browser) -> Iterator[Callable[..., Page]]:
    watches = []

    def open_form(*, watched: bool = True, **options: Any) -> Page:
        context = browser.new_context(**{"viewport": DESKTOP} | options)
        context.set_default_timeout(120_000)
        page = context.new_page()
        watches.append(Watch(page, braked_site.url if watched else None))
        page.goto(f"{braked_site.url}/accounts/signup/")
        return page

    yield open_form
    for watch in watches:
        watch.close()
    for watch in watches:
        assert watch.complaints == []


def fill(page: Page, email: str, again: str = "correct horse 9") -> None:
    if page.get_by_label("Email").input_value() != email:  # in Firefox, Playwright would add it
        page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill("correct horse 9")
    page.get_by_label("Password (again)").fill(again)
    page.get_by_role("button", name="Create account").click()


def test_signing_up_works_as_usual(open_form: Callable[..., Page]) -> None:
    page = open_form()
    fill(page, "vera@example.org", again="other")
    expect(page.get_by_label("Password (again)")).to_have_attribute("aria-invalid", "true")
    fill(page, "vera@example.org")
    page.wait_for_url("**/chat/")
    sent = page.get_by_text("Confirmation link sent").bounding_box()
    greeting = page.locator(".welcome").bounding_box()
    assert sent
    assert greeting
    assert sent["y"] + sent["height"] + 16 <= greeting["y"]


def test_without_scripts_signing_up_is_refused(open_form: Callable[..., Page]) -> None:
    page = open_form(java_script_enabled=False)
    fill(page, "walter@example.org")
    expect(page.get_by_role("alert")).to_contain_text("Turn on JavaScript")


DARK = PHONE | {"color_scheme": "dark"}


@pytest.mark.parametrize("look", [PHONE, *later({"viewport": DESKTOP}, DARK)])
def test_the_form_is_accessible(open_form: Callable[..., Page], look: dict[str, Any]) -> None:
    page = open_form(**look | BARE)
    assert axe(page) == []
    assert overflow(page) <= 0
