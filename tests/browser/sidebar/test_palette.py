"""The command palette, and how it and the list of shortcuts look."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, StorageState, expect

from tests.browser.chat_page import COMPOSED, ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow, too_small
from tests.support.variants import later

START = "/chat/"
#: A busy machine would take longer over real keys than the palette waits for the next one.
TYPE_AT_ONCE = """(field, text) => [...text].forEach((letter) => {
  field.value += letter;
  field.dispatchEvent(new Event("input", { bubbles: true }));
})"""


@pytest.fixture(scope="module")
def paul(site: LiveSite) -> StorageState:
    return sign_in(site, "paul@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], paul: StorageState) -> ChatPage:
    return open_chat(storage_state=paul)


def open_palette(chat: ChatPage) -> Locator:
    chat.page.keyboard.press("Control+k")
    field = chat.page.get_by_role("combobox", name="Search chats and commands")
    expect(field).to_be_focused()
    return field


def expect_searched(chat: ChatPage) -> None:
    expect(chat.page.locator("#palette-list[aria-busy]")).to_have_count(0)


def active(chat: ChatPage) -> Locator:
    """Return the active option that the field names, and check that the list agrees."""
    expect(chat.page.locator("#palette-list [aria-selected=true]")).to_have_count(1)
    field = chat.page.locator("#palette-field")
    chosen = chat.page.locator(f"[id='{field.get_attribute('aria-activedescendant')}']")
    expect(chosen).to_have_attribute("aria-selected", "true")
    return chosen


@pytest.mark.quick
def test_a_chat_is_found_and_opened_by_keyboard(chat: ChatPage) -> None:
    chat.ask("Where do otters sleep?")
    address = chat.page.url
    chat.page.goto("/chat/")
    ChatPage(chat.page)
    field = open_palette(chat)
    expect_searched(chat)
    expect(active(chat)).to_contain_text("Where do otters sleep?")
    field.press_sequentially("otter")
    chats = chat.page.get_by_role("group", name="Chats", exact=True)
    expect(chats.get_by_role("option")).to_have_count(1)
    expect(active(chat)).to_contain_text("Where do otters sleep?")
    expect(chat.page.locator("#palette [role=status]")).to_contain_text("results")
    field.press("Enter")
    chat.page.wait_for_url(address)


def test_arrows_wrap_around_and_typing_resets_the_choice(chat: ChatPage) -> None:
    field = open_palette(chat)
    field.fill("theme")
    expect(chat.page.locator("#palette-list").get_by_role("option")).to_have_count(
        2
    )  # not the present one
    expect(active(chat)).to_have_text("Light theme")
    field.press("ArrowDown")
    expect(active(chat)).to_have_text("Dark theme")
    field.press("ArrowUp")
    field.press("ArrowUp")
    expect(active(chat)).to_have_text("Dark theme")
    field.dispatch_event("keydown", COMPOSED)
    expect(chat.page.locator("#palette")).to_be_visible()
    expect(field).to_be_focused()
    field.fill("zzz")
    expect(chat.page.get_by_text("No results.")).to_be_visible()
    expect(field).to_have_attribute("aria-expanded", "false")
    field.press("Enter")
    expect(field).to_be_focused()


@pytest.mark.long
def test_only_commands_that_apply_are_offered(chat: ChatPage) -> None:
    def offered(*names: str) -> list[str]:
        open_palette(chat)
        options = chat.page.locator("#palette-list [role=option]")
        options.filter(has_text="Settings").wait_for()
        found = " ".join(options.all_text_contents())
        chat.page.keyboard.press("Escape")
        return [name for name in names if name in found]

    of_answers = ["Copy last answer", "Copy last code block"]
    of_chats = ["Pin chat", "Unpin chat", "Archive chat", "Share chat"]
    assert offered("New chat", "Temporary chat", *of_answers, *of_chats) == ["Temporary chat"]
    chat.ask("/echo Water")
    expected = ["New chat", "Copy last answer", "Pin chat", "Archive chat", "Share chat"]
    assert offered("New chat", *of_answers, *of_chats) == expected
    chat.page.goto("/chat/temporary/")
    chat.page.locator("#message[enterkeyhint]").wait_for()
    assert offered("New chat", "Temporary chat", *of_answers, *of_chats) == ["New chat"]


@pytest.mark.quick
def test_the_open_chat_is_renamed_moved_and_tagged_by_keyboard(chat: ChatPage) -> None:
    chat.ask("Herons.")
    for name, dialog in (("Move chat", "Move to project"), ("Tag chat", "Tags")):
        open_palette(chat).fill(name)
        expect(active(chat)).to_contain_text(name)
        chat.page.keyboard.press("Enter")
        expect(chat.page.get_by_role("dialog", name=dialog)).to_contain_text("Herons.")
        chat.page.keyboard.press("Escape")
    open_palette(chat).fill("Rename")
    expect(active(chat)).to_contain_text("Rename chat")
    chat.page.keyboard.press("Enter")
    expect(chat.page.get_by_label("Title of this chat")).to_be_focused()


def test_a_theme_is_chosen_and_stored(chat: ChatPage) -> None:
    field = open_palette(chat)
    field.fill("dark")
    with chat.page.expect_response("**/settings/") as answer:
        field.press("Enter")
    assert answer.value.ok
    expect(chat.page.locator("html")).to_have_attribute("data-theme", "dark")
    chat.page.reload()
    expect(chat.page.locator("html")).to_have_attribute("data-theme", "dark")
    field = open_palette(chat)
    field.fill("System theme")
    with chat.page.expect_response("**/settings/"):
        field.press("Enter")


def test_escape_and_the_shortcut_close_the_palette_and_restore_the_focus(chat: ChatPage) -> None:
    for key in ("Escape", "Control+k"):
        open_palette(chat)
        chat.page.keyboard.press(key)
        expect(chat.page.locator("#palette")).to_be_hidden()
        expect(chat.composer).to_be_focused()


def test_choices_can_be_clicked(chat: ChatPage) -> None:
    chat.page.get_by_role("button", name="Search", exact=True).click()
    chat.page.get_by_role("option", name="Temporary chat").hover()
    expect(active(chat)).to_contain_text("Temporary chat")
    chat.page.get_by_role("option", name="Temporary chat").click()
    chat.page.wait_for_url("**/chat/temporary/")


@pytest.mark.quick
def test_a_hostile_title_is_shown_as_text(chat: ChatPage) -> None:
    chat.ask("<img src=x onerror=alert(1)> otherwise")
    field = open_palette(chat)
    field.fill("otherwise")
    expect(active(chat)).to_contain_text("<img src=x onerror=alert(1)> otherwise")
    assert chat.page.locator("#palette img").count() == 0


def test_without_a_network_the_palette_still_offers_commands(chat: ChatPage) -> None:
    with chat.page.expect_response("**/command_palette.*.js"):
        chat.composer.press("A")  # the page is used
    chat.page.context.set_offline(True)
    field = open_palette(chat)
    field.fill("shortcuts")
    expect(chat.page.locator("#palette [role=status]")).to_contain_text("wasn't sent")
    field.press("Enter")
    expect(chat.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def test_what_is_entered_before_the_script_is_there_is_done(chat: ChatPage) -> None:
    page, waiting = chat.page, []
    page.route("**/command_palette.*.js", lambda route: waiting.append(route))
    page.keyboard.press("Control+k")
    page.keyboard.type("archived chats")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#palette-field').value === 'archived chats'")
    expect(page.locator("#palette-list [role=option]")).to_have_count(0)
    while not waiting:
        page.wait_for_timeout(10)
    waiting[0].continue_()
    page.wait_for_url("**/chat/archive/")


def test_nothing_is_requested_before_the_palette_is_opened(chat: ChatPage) -> None:
    asked: list[str] = []
    chat.page.on("request", lambda request: asked.append(request.url))
    chat.page.reload()
    ChatPage(chat.page)
    assert [url for url in asked if "/search/" in url] == []
    field = open_palette(chat)
    expect_searched(chat)
    with chat.page.expect_response("**/search/**q=river*"):
        field.evaluate(TYPE_AT_ONCE, "river")
    assert len([url for url in asked if "/search/" in url]) == 2  # when it opened, and at the end


@pytest.mark.parametrize(
    ("theme", "language"),
    [("light", "en"), ("dark", "ar"), *later(("light", "ar"), ("dark", "en"))],
)
def test_the_palette_and_the_shortcuts_are_accessible(
    open_chat: Callable[..., ChatPage], paul: StorageState, theme: str, language: str
) -> None:
    options: dict[str, Any] = {"storage_state": paul, "color_scheme": theme, "locale": language}
    chat = open_chat(**(options | BARE))
    chat.page.keyboard.press("Control+k")
    expect_searched(chat)
    assert axe(chat.page) == []
    chat.page.locator("#palette-field").fill("zzz")
    expect(chat.page.locator("#palette [role=status]")).to_be_visible()
    assert axe(chat.page) == []
    chat.page.keyboard.press("Escape")
    chat.page.keyboard.press("Control+/")
    expect(chat.page.locator("#shortcuts")).to_be_visible()
    assert axe(chat.page) == []


@pytest.mark.parametrize("width", [320, *later(390)])
def test_the_palette_fits_a_phone(
    open_chat: Callable[..., ChatPage], paul: StorageState, width: int
) -> None:
    chat = open_chat(storage_state=paul, **(PHONE | {"viewport": {"width": width, "height": 700}}))
    chat.page.get_by_role("button", name="Chats", exact=True).tap()
    chat.page.get_by_role("button", name="Search", exact=True).tap()
    expect(chat.page.locator("#palette-field")).to_be_focused()
    chat.page.wait_for_function("() => document.getAnimations().length === 0")
    assert overflow(chat.page) <= 0
    assert too_small(chat.page) == []
    chat.page.get_by_role("button", name="Close", exact=True).tap()
    expect(chat.page.locator("#palette")).to_be_hidden()
