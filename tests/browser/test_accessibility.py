"""Pages pass axe's rules and work by keyboard."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import UNTIL_STOPPED, ChatPage
from tests.browser.server import LiveSite, live_site
from tests.support.browser.accessibility import BARE, COLOURS, axe, tab_to
from tests.support.variants import later


@pytest.mark.parametrize(
    ("path", "theme"),
    [
        ("/accounts/login/", "light"),
        ("/accounts/signup/", "dark"),
        ("/accounts/password/reset/", "light"),
        ("/nowhere", "dark"),
    ],
)
def test_public_pages_are_accessible(open_page: Callable[..., Page], path: str, theme: str) -> None:
    page = open_page(path, color_scheme=theme, **BARE)
    assert axe(page) == []
    page.emulate_media(forced_colors="active")
    assert axe(page) == []


@pytest.mark.quick
def test_forms_with_errors_are_accessible(open_page: Callable[..., Page]) -> None:
    page = open_page("/accounts/signup/", **BARE)
    page.get_by_label("Email").fill("alice@example.org")
    page.get_by_label("Password", exact=True).fill("abc")
    page.get_by_label("Password (again)").fill("abd")
    page.get_by_role("button", name="Create account").click()
    password = page.get_by_label("Password", exact=True)
    expect(password).to_have_attribute("aria-invalid", "true")
    description = password.get_attribute("aria-describedby") or ""
    errors = [page.locator(f"#{each}").inner_text() for each in description.split()]
    assert any("too short" in each for each in errors)
    assert axe(page) == []


def test_the_setup_page_is_accessible(open_page: Callable[..., Page], tmp_path: Path) -> None:
    with live_site(tmp_path) as new:  # without an administrator
        link = next(word for word in new.manage("setup_link").split() if "/setup/" in word)
        page = open_page(link, **BARE)
        expect(page.get_by_role("heading", level=1)).to_have_text(
            "Create the first administrator account"
        )
        assert axe(page) == []


@pytest.mark.parametrize("colours", COLOURS)
def test_the_chat_page_is_accessible(
    open_chat: Callable[..., ChatPage], administrator: StorageState, colours: dict[str, str]
) -> None:
    chat = open_chat(**colours, **BARE, storage_state=administrator)
    assert axe(chat.page) == []
    chat.send("/think 4000")
    expect(chat.last_answer.locator("summary")).to_contain_text("Thinking…")
    assert axe(chat.page) == []
    chat.press_stop()
    chat.wait_for_end()
    chat.ask("/error 4006")
    chat.ask("/cut 12")
    assert axe(chat.page) == []
    chat.page.get_by_role("button", name="Account").click()
    assert axe(chat.page) == []
    chat.page.keyboard.press("Escape")
    chat.page.get_by_role("button", name="Emulator").click()
    expect(chat.page.get_by_role("dialog")).to_be_visible()
    assert axe(chat.page) == []


@pytest.mark.quick
@pytest.mark.parametrize("theme", ["dark", *later("light")])
def test_answers_of_every_kind_are_accessible(
    open_chat: Callable[..., ChatPage], theme: str
) -> None:
    chat = open_chat(color_scheme=theme, viewport={"width": 390, "height": 800}, **BARE)
    chat.ask("/markdown")
    chat.ask("/hostile")
    expect(chat.page.locator("math").first).to_be_attached()
    expect(chat.page.locator(".hljs-keyword").first).to_be_attached()
    chat.page.add_style_tag(content=".exchange { content-visibility: visible !important }")
    assert axe(chat.page) == []


@pytest.mark.parametrize(
    "path", ["/accounts/email/", "/accounts/password/change/", "/accounts/logout/"]
)
def test_members_pages_are_accessible(open_chat: Callable[..., ChatPage], path: str) -> None:
    page = open_chat(**BARE).page
    page.goto(path)
    assert axe(page) == []


def test_an_expired_page_is_accessible(
    open_chat: Callable[..., ChatPage],
) -> None:
    page = open_chat(**BARE).page
    page.goto("/settings/")
    page.context.clear_cookies(name="csrftoken")
    page.evaluate("document.querySelector('form').submit()")
    expect(page.get_by_role("heading", level=1)).to_contain_text("out of date")
    assert axe(page) == []


@pytest.mark.quick
def test_signing_in_sending_and_stopping_work_by_keyboard(
    site: LiveSite, open_page: Callable[..., Page]
) -> None:
    site.make_member("kim@example.org", "no mouse at all")
    page = open_page("/")
    press, write = page.keyboard.press, page.keyboard.type
    tab_to(page, page.get_by_label("Email"))
    write("kim@example.org")
    press("Tab")
    write("no mouse at all")
    press("Enter")
    page.wait_for_url("**/chat/")
    chat = ChatPage(page)
    expect(chat.composer).to_be_focused()
    write(UNTIL_STOPPED)
    press("Shift+Enter")
    write("please")
    expect(chat.composer).to_have_value(f"{UNTIL_STOPPED}\nplease")
    press("Enter")
    expect(chat.composer).to_be_focused()
    chat.wait_for_text()
    tab_to(page, chat.stop_button)
    expect(chat.stop_button).to_be_focused()
    press("Enter")
    expect(chat.outcome).to_contain_text("Stopped.")
    tab_to(page, page.get_by_role("button", name="Try again"), "Shift+Tab")
    tab_to(page, page.get_by_role("button", name="Copy question"), "Shift+Tab")


def test_the_skip_link_comes_first_and_skips_the_header(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/accounts/login/")
    page.keyboard.press("Tab")
    link = page.get_by_role("link", name="Skip to content")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_enter_that_confirms_input_method_text_does_not_send(chat: ChatPage) -> None:
    chat.composer.fill("川")
    chat.composer.dispatch_event("keydown", {"key": "Enter", "isComposing": True})
    chat.composer.dispatch_event("keydown", {"key": "Enter", "keyCode": 229})
    expect(chat.questions).to_have_count(0)
    expect(chat.composer).to_have_value("川")
