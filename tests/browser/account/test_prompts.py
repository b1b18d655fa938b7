"""Prompts in the message box: "/" lists them; other text is sent as a message."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import overflow
from tests.support.browser.narrow_phone import NARROW

HOSTILE = "<img src=x onerror=alert(1)>"
MAKE = """
from chat.accounts.models import User
from chat.personas.models import Prompt
owner = User.objects.get(email="prue@example.org")
for name, text in (
    ("Translate", "Translate into {language}:\\n\\n{text}"), ("Summarise", "In three points."), (%r, %r),
):
    Prompt.objects.create(owner=owner, name=name, text=text)
"""
SELECTED = "area => area.value.slice(area.selectionStart, area.selectionEnd)"


@pytest.fixture(scope="module")
def prue(site: LiveSite) -> StorageState:
    state = sign_in(site, "prue@example.org")
    site.run(MAKE % (HOSTILE, HOSTILE))
    return state


@pytest.fixture
def chat(open_page: Callable[..., Page], prue: StorageState) -> ChatPage:
    return ChatPage(open_page("/chat/temporary/", storage_state=prue))


@pytest.mark.quick
def test_a_prompt_is_chosen_by_keyboard_and_its_placeholder_selected(chat: ChatPage) -> None:
    options = chat.page.locator("#prompts [role=option]")
    chat.composer.focus()
    chat.page.keyboard.type("/")
    expect(options).to_have_count(3)
    expect(chat.announcement).to_contain_text("3 prompts")
    chat.page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    chat.page.keyboard.type("tran")
    expect(options).to_have_count(1)
    chosen = options.first.get_attribute("id") or ""
    expect(chat.composer).to_have_attribute("aria-activedescendant", chosen)
    chat.page.keyboard.press("Enter")
    expect(chat.composer).to_have_value("Translate into {language}:\n\n{text}")
    assert chat.composer.evaluate(SELECTED) == "{language}"
    expect(options.first).to_be_hidden()
    chat.page.keyboard.type("Latin")
    expect(chat.composer).to_have_value("Translate into Latin:\n\n{text}")
    chat.composer.press("Control+a")
    chat.page.keyboard.press("Delete")
    chat.page.keyboard.type("/")
    expect(options).to_have_count(3)
    chat.page.keyboard.type("tran")
    expect(options).to_have_count(1)
    chat.page.keyboard.press("Tab")
    expect(chat.composer).to_have_value("Translate into {language}:\n\n{text}")
    expect(chat.composer).to_be_focused()


def test_a_message_that_starts_with_a_slash_is_still_sent(chat: ChatPage) -> None:
    listbox = chat.page.get_by_role("listbox", name="Prompts")
    chat.composer.focus()
    chat.page.keyboard.type("/sum")
    expect(listbox).to_be_visible()
    chat.page.keyboard.press("Escape")
    expect(listbox).to_be_hidden()
    chat.page.keyboard.press("Enter")
    expect(chat.questions.last.locator(".message-text")).to_have_text("/sum")
    chat.wait_for_end()
    chat.page.keyboard.type("/help")
    chat.page.keyboard.press("Enter")
    expect(chat.questions.last.locator(".message-text")).to_have_text("/help")
    assert "/slow" in chat.wait_for_end()


def test_a_slash_alone_is_not_sent_and_keeps_the_list_open(chat: ChatPage) -> None:
    listbox = chat.page.get_by_role("listbox", name="Prompts")
    chat.composer.focus()
    chat.page.keyboard.type("/")
    expect(listbox).to_be_visible()
    expect(chat.send_button).to_have_attribute("aria-disabled", "true")
    for send in (chat.composer.press, chat.send_button.press):
        send("Enter")
        expect(listbox).to_be_visible()
        expect(chat.composer).to_have_value("/")
    expect(chat.questions).to_have_count(0)
    chat.page.keyboard.type("help")
    expect(chat.send_button).to_have_attribute("aria-disabled", "false")
    chat.page.keyboard.press("Enter")
    expect(chat.questions.last.locator(".message-text")).to_have_text("/help")


def test_a_hostile_prompt_chosen_by_touch_is_inserted_as_text(
    open_page: Callable[..., Page], prue: StorageState
) -> None:
    page = open_page("/chat/", storage_state=prue, **NARROW)
    chat = ChatPage(page)
    chat.composer.tap()
    page.keyboard.type("/img")
    option = page.locator("#prompts [role=option]")
    expect(option.locator("bdi").first).to_have_text(HOSTILE)
    assert (option.bounding_box() or {})["height"] >= 44
    assert overflow(page) <= 0
    option.tap()
    expect(chat.composer).to_have_value(HOSTILE)


def test_the_list_is_accessible(open_page: Callable[..., Page], prue: StorageState) -> None:
    page = open_page("/chat/", storage_state=prue, color_scheme="dark", **BARE)
    ChatPage(page).composer.fill("/s")
    expect(page.locator("#prompts [role=option]").first).to_be_visible()
    assert axe(page) == []
    page.goto("/prompts/")
    assert axe(page) == []
    page.goto("/prompts/new/")
    assert axe(page) == []


def test_typed_text_can_be_saved_as_a_prompt(chat: ChatPage) -> None:
    chat.composer.fill("Say it in {number} words.")
    chat.page.keyboard.press("Control+k")
    chat.page.keyboard.type("save this text")
    chat.page.keyboard.press("Enter")
    expect(chat.page.get_by_label("Text")).to_have_value("Say it in {number} words.")
    chat.page.get_by_label("Name").fill("Short")
    chat.page.get_by_role("button", name="Save").click()
    expect(chat.page.get_by_text("Short")).to_be_visible()
    chat.page.goto("/chat/temporary/")
    expect(ChatPage(chat.page).composer).to_have_value("Say it in {number} words.")
    chat.page.evaluate("sessionStorage.clear()")
