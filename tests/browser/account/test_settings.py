"""Each setting applies at once, is stored, and applies to every page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow, too_small
from tests.support.variants import later

START = "/chat/"
BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"
DARK = "rgb(22, 24, 23)"


@pytest.fixture
def sam(site: LiveSite, request: pytest.FixtureRequest) -> StorageState:
    """Create a member for this test, because settings outlive it."""
    return sign_in(site, f"sam-{abs(hash(request.node.name))}@example.org")


@pytest.fixture
def settings(open_page: Callable[..., Page], sam: StorageState) -> Page:
    return open_page("/settings/", storage_state=sam)


def saved(page: Page) -> None:
    expect(page.locator("#saved")).to_have_text("Saved.")


@pytest.mark.firefox
@pytest.mark.quick
def test_a_theme_applies_at_once_and_later_pages_do_not_flash(settings: Page) -> None:
    settings.get_by_label("Dark").check()
    assert settings.evaluate(BACKGROUND) == DARK
    saved(settings)
    settings.get_by_label("Extra large").check()
    saved(settings)
    html = settings.locator("html")
    for path in ("/chat/", "/chat/temporary/", "/accounts/email/", "/nowhere"):
        settings.goto(path, wait_until="commit")
        expect(html).to_have_attribute("data-theme", "dark")
        assert settings.evaluate(BACKGROUND) == DARK
        assert settings.evaluate("getComputedStyle(document.documentElement).fontSize") == "21px"


def test_another_language_applies_at_once(settings: Page) -> None:
    settings.get_by_label("Language").select_option("Deutsch")
    expect(settings.get_by_role("navigation", name="Einstellungen")).to_be_visible()
    settings.get_by_label("Sprache").select_option("ar")
    expect(settings.locator("html")).to_have_attribute("dir", "rtl")
    settings.goto("/chat/")
    expect(settings.get_by_role("button", name="إرسال")).to_be_visible()
    assert overflow(settings) <= 0


def test_scripts_use_the_chosen_language(settings: Page) -> None:
    settings.get_by_label("Language").select_option("Deutsch")
    expect(settings.get_by_role("navigation", name="Einstellungen")).to_be_visible()
    settings.goto("/chat/temporary/")
    composer = settings.get_by_role("textbox", name="Nachricht")
    composer.fill("/error 4006")
    composer.press("Enter")
    expect(settings.locator(".outcome")).to_contain_text("Diese Website hat ihr Tageslimit")


@pytest.mark.quick
def test_settings_work_without_scripts(open_page: Callable[..., Page], sam: StorageState) -> None:
    page = open_page("/settings/", storage_state=sam, java_script_enabled=False)
    page.get_by_label("Dark").check()
    page.get_by_label("Language").select_option("Deutsch")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="Gespeichert.")).to_be_visible()
    expect(page.get_by_label("Dunkel")).to_be_checked()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_settings_work_by_keyboard(settings: Page) -> None:
    settings.get_by_label("System").focus()
    settings.keyboard.press("ArrowRight")
    settings.keyboard.press("ArrowRight")
    expect(settings.get_by_label("Dark")).to_be_checked()
    saved(settings)
    settings.keyboard.press("Tab")
    expect(settings.get_by_label("Normal")).to_be_focused()


def test_a_change_that_is_not_saved_shows_an_error(settings: Page) -> None:
    settings.context.set_offline(True)
    settings.get_by_label("Dark").check()
    expect(settings.locator("#saved")).to_contain_text("Couldn't save this.")


def test_enter_can_insert_a_line_break(settings: Page) -> None:
    settings.get_by_label("New line").check()
    saved(settings)
    settings.goto("/chat/temporary/")
    chat = ChatPage(settings)
    chat.composer.fill("one")
    chat.composer.press("Enter")
    chat.page.keyboard.type("two")
    expect(chat.composer).to_have_value("one\ntwo")
    expect(chat.composer).to_have_attribute("enterkeyhint", "enter")
    chat.composer.press("Control+Enter")
    expect(chat.questions).to_have_count(1)
    chat.wait_for_end()
    chat.composer.fill("three")
    chat.composer.press("Meta+Enter")
    expect(chat.questions).to_have_count(2)


def test_a_new_chat_uses_the_chosen_model(settings: Page) -> None:
    settings.get_by_label("Default model").select_option("GPT-OSS 20B")
    saved(settings)
    settings.get_by_role("link", name="Back to chat").click()
    ChatPage(settings)
    expect(settings.locator("#model")).to_have_value("@cf/openai/gpt-oss-20b")


def test_the_account_menu_leads_to_the_settings(open_chat: Callable[..., ChatPage]) -> None:
    page = open_chat().page
    page.get_by_role("button", name="Account").click()
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("General")


@pytest.mark.parametrize(
    ("theme", "language"),
    [("light", "en"), ("dark", "ar"), *later(("light", "ar"), ("dark", "en"))],
)
def test_the_settings_fit_and_are_accessible(
    open_page: Callable[..., Page], signed_in: StorageState, theme: str, language: str
) -> None:
    options: dict[str, Any] = {"storage_state": signed_in, "color_scheme": theme} | BARE
    page = open_page("/settings/", locale=language, **options)
    assert axe(page) == []
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        assert overflow(page) <= 0
    assert axe(page) == []


def test_every_setting_works_by_touch(
    open_page: Callable[..., Page], signed_in: StorageState
) -> None:
    page = open_page("/settings/", storage_state=signed_in, **PHONE)
    small = [each for each in too_small(page) if 'type="radio"' not in each]  # their label counts
    assert small == []
