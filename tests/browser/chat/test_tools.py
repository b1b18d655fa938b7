"""Tools in the chat: a line for each call, and a person's permission, on any device."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.screenshots import PHONE
from tests.support.browser.accessibility import BARE, axe

START = "/chat/"
FACT = "I am a vegetarian"
SEARCH = "Search the web for the lighthouse of Lindholm"


def use(chat: ChatPage, *names: str) -> None:
    chat.page.get_by_role("button", name="Tools").click()
    for name in names:
        chat.page.get_by_label(name).check()
    chat.page.keyboard.press("Escape")


def calls(page: Page) -> Locator:
    return page.locator(".answer").last.locator(".tool-call")


@pytest.mark.quick
def test_a_search_is_one_line_that_opens_and_its_pages_are_cited(
    open_chat: Callable[..., ChatPage],
) -> None:
    chat = open_chat()
    use(chat, "Search the web and read pages")
    expect(chat.page.get_by_role("button", name="Tools")).to_contain_text("Search the web")
    chat.ask(SEARCH)
    expect(calls(chat.page)).to_have_text("Search the web: the lighthouse of Lindholm · 3 results")
    cited = chat.last_answer.get_by_role("link", name="The lighthouse of Lindholm").first
    expect(cited).to_have_attribute("href", re.compile("^https://lindholm.example/lighthouse"))
    calls(chat.page).locator("summary").click()
    expect(calls(chat.page)).to_contain_text("[1] The lighthouse of Lindholm")
    chat.page.reload()
    expect(calls(chat.page)).to_contain_text("3 results")
    expect(chat.page.get_by_role("button", name="Tools")).to_contain_text("Search the web")


@pytest.mark.quick
def test_a_person_allows_on_a_phone_what_was_asked_at_a_desk(
    open_chat: Callable[..., ChatPage], open_page: Callable[..., Page]
) -> None:
    desk = open_chat()
    use(desk, "Remember things for later chats")
    desk.send(f"Please remember that {FACT}")
    expect(desk.last_answer.get_by_role("button", name="Allow")).to_be_visible()
    expect(desk.announcement).to_have_text("The model asks for your permission to use a tool.")
    state = desk.page.context.storage_state()
    phone = open_page(desk.page.url, storage_state=state, **PHONE)
    form = phone.locator(".tool-call-decision")
    form.get_by_label("What to remember").fill("I eat no meat")
    form.get_by_role("button", name="Allow").click()
    expect(phone.locator(".answer").last).to_contain_text("Kept for later chats")
    expect(desk.last_answer).to_contain_text("Kept for later chats")
    expect(desk.page.locator(".tool-call-decision")).to_have_count(0)
    phone.goto("/settings/personalization/")
    expect(phone.get_by_label("What models remember about you")).to_have_value("I eat no meat")


def test_what_is_refused_goes_on_with_the_reason(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat()
    use(chat, "Remember things for later chats")
    chat.send(f"Please remember that {FACT}")
    form = chat.page.locator(".tool-call-decision")
    form.get_by_label("Reason, if you refuse").fill("Not that one")
    form.get_by_role("button", name="Refuse").click()
    expect(chat.last_text).to_contain_text("Not that one")
    expect(calls(chat.page)).to_contain_text("Refused")


def test_a_decision_that_fails_keeps_what_was_typed(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat()
    use(chat, "Remember things for later chats")
    chat.send(f"Please remember that {FACT}")
    form = chat.page.locator(".tool-call-decision")
    form.get_by_label("What to remember").fill("")
    form.get_by_role("button", name="Allow").click()
    expect(form.get_by_role("alert")).to_contain_text("The tool can't be called like this")
    form.get_by_label("What to remember").fill("I ski")
    form.get_by_role("button", name="Allow").click()
    expect(chat.last_text).to_contain_text("Kept for later chats")


@pytest.mark.parametrize("options", [{}, {**PHONE, "color_scheme": "dark"}, {"locale": "ar"}])
def test_nothing_is_inaccessible(
    open_chat: Callable[..., ChatPage], options: dict[str, object]
) -> None:
    chat = open_chat(**BARE, **options)
    chat.page.locator(".model-picker-button:has(+ #tool-menu)").click()
    chat.page.locator("input[value=remember]").check()
    chat.page.keyboard.press("Escape")
    chat.page.locator("#message").fill(f"remember that {FACT}")
    chat.page.locator("#composer .send-button").click()
    expect(chat.page.locator(".tool-call-decision button.main")).to_be_visible()
    assert axe(chat.page) == []
    assert chat.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_temporary_chat_uses_tools(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat()
    chat.page.goto("/chat/temporary/")
    chat = ChatPage(chat.page)
    use(chat, "Calculate")
    chat.ask("What is 1234 * 5678?")
    expect(calls(chat.page)).to_have_text("Calculate: 1234 * 5678")
    expect(chat.last_text).to_contain_text("7006652")
