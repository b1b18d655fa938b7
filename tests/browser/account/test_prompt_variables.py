"""A dialog asks for the variables of a prompt; nothing that is typed is lost."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow, too_small

LETTER = """Write to {{recipient | text:required}} about {{topic | textarea}}.
Tone: {{tone | select:options=["kind","formal"]:default="formal"}}
At most {{words | number:min=20:default=120}} words, {{recipient}}. {gap}"""
WRITTEN = "Write to {{topic}} about rivers\nand <b>lakes</b>.\nTone: kind\nAt most 80 words, {{topic}}. {gap}"
LETTER_TO_ANN = "Write to Ann about Lakes.\nTone: formal\nAt most 120 words, Ann. {gap}"
MAKE = """
from chat.accounts.models import User
from chat.personas.models import Prompt
owner = User.objects.get(email="vivi@example.org")
Prompt.objects.create(owner=owner, name="Letter", text=%r)
Prompt.objects.create(owner=owner, name="Dated", text="On {{CURRENT_DATE}}")
"""
SELECTED = "area => area.value.slice(area.selectionStart, area.selectionEnd)"


@pytest.fixture(scope="module")
def vivi(site: LiveSite) -> StorageState:
    state = sign_in(site, "vivi@example.org")
    site.run(MAKE % LETTER)
    return state


@pytest.fixture
def chat(open_page: Callable[..., Page], vivi: StorageState) -> ChatPage:
    return ChatPage(open_page("/chat/temporary/", storage_state=vivi))


def ask_for_letter(chat: ChatPage) -> None:
    chat.composer.focus()
    chat.page.keyboard.type("/let")
    expect(chat.page.locator("#prompts [role=option]:visible")).to_have_count(1)
    chat.page.keyboard.press("Enter")
    expect(chat.page.get_by_role("dialog", name="Letter")).to_be_visible()


def test_a_prompt_is_filled_in_by_keyboard(chat: ChatPage) -> None:
    keyboard = chat.page.keyboard
    ask_for_letter(chat)
    expect(chat.page.get_by_label("Recipient (required)")).to_be_focused()
    keyboard.press("Enter")  # refused: the recipient is required
    keyboard.type("{{topic}}")
    keyboard.press("Tab")
    keyboard.type("rivers\nand <b>lakes</b>")
    keyboard.press("Tab")
    keyboard.type("k")
    keyboard.press("Tab")
    keyboard.type("9")
    keyboard.press("Enter")  # refused: below the minimum
    expect(chat.page.get_by_label("Words")).to_be_focused()
    keyboard.press("ControlOrMeta+a")
    keyboard.type("80")
    keyboard.press("Enter")
    expect(chat.composer).to_have_value(WRITTEN)
    expect(chat.composer).to_be_focused()
    assert chat.composer.evaluate(SELECTED) == "{gap}"
    keyboard.press("ControlOrMeta+z")
    expect(chat.composer).to_have_value("/let")


def test_cancelling_keeps_the_message_and_what_was_typed(chat: ChatPage) -> None:
    ask_for_letter(chat)
    chat.page.get_by_label("Recipient").fill("Ann")
    chat.page.get_by_label("Topic").fill("Lakes")
    chat.page.keyboard.press("Escape")
    expect(chat.composer).to_have_value("/let")
    expect(chat.composer).to_be_focused()
    chat.page.reload()
    ChatPage(chat.page).composer.fill("")
    ask_for_letter(chat)
    expect(chat.page.get_by_label("Recipient")).to_have_value("Ann")
    expect(chat.page.get_by_label("Topic")).to_have_value("Lakes")
    chat.page.get_by_role("button", name="Insert").click()
    expect(chat.composer).to_have_value(LETTER_TO_ANN)
    chat.composer.fill("")
    ask_for_letter(chat)
    expect(chat.page.get_by_label("Recipient")).to_have_value("")


def test_the_command_palette_inserts_a_prompt_at_the_cursor(chat: ChatPage) -> None:
    keyboard = chat.page.keyboard
    chat.composer.fill("Before after")
    chat.composer.evaluate("area => area.setSelectionRange(6, 6)")
    keyboard.press("Control+k")
    keyboard.type("letter")
    option = chat.page.locator("#palette").get_by_role("option", name="Letter")
    expect(option).to_have_attribute("aria-selected", "true")
    keyboard.press("Enter")
    expect(chat.page.get_by_label("Recipient")).to_be_focused()
    keyboard.type("Ann")
    chat.page.get_by_label("Topic").fill("Lakes")
    keyboard.press("Control+Enter")
    expect(chat.composer).to_have_value(f"Before{LETTER_TO_ANN} after")
    keyboard.press("ControlOrMeta+z")
    expect(chat.composer).to_have_value("Before after")


def test_what_is_known_is_not_asked_for(chat: ChatPage) -> None:
    chat.composer.focus()
    chat.page.keyboard.type("/dat")
    expect(chat.page.locator("#prompts [role=option]:visible")).to_have_count(1)
    chat.page.keyboard.press("Enter")
    today = chat.page.evaluate("new Date().toLocaleDateString('sv')")
    expect(chat.composer).to_have_value(f"On {today}")


@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "ar")])
def test_the_dialog_fits_a_phone_and_is_accessible(
    open_page: Callable[..., Page], vivi: StorageState, theme: str, language: str
) -> None:
    options = {"storage_state": vivi, "color_scheme": theme, "locale": language} | BARE
    page = open_page("/chat/temporary/", **options, **PHONE)
    page.locator("#message").fill("/let")
    page.locator("#prompts [role=option]").click()
    expect(page.get_by_role("dialog", name="Letter")).to_be_visible()
    assert axe(page) == []
    assert overflow(page) <= 0
    assert too_small(page) == []
    page.goto("/prompts/new/")
    page.locator("details > summary").first.click()
    assert axe(page) == []
    assert overflow(page) <= 0
