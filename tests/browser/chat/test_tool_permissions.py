"""Where a permission is asked for and revoked: in sight, by name, without scripts, on stale pages."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, StorageState, expect

from chat.generations.log.frames import MAX_STEP_ARGUMENTS
from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.layout import overflow

START = "/chat/"
FACT = "I am a vegetarian"
LONG_FACT = "I walk along the river every morning, and look at the birds. " * 4
SMALL = {"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True}
LONGER_THAN_A_STEP = MAX_STEP_ARGUMENTS + 500
KEYBOARD = {"width": 320, "height": 300}


@pytest.fixture(scope="module")
def petronella(site: LiveSite) -> StorageState:
    return sign_in(site, "petronella@example.org")


def propose(chat: ChatPage, fact: str = FACT) -> Locator:
    """Have the model ask to remember something; return the form."""
    open_menu(chat)
    chat.page.get_by_label("Remember things for later chats").check()
    chat.page.keyboard.press("Escape")
    chat.composer.fill(f"Please remember that {fact}")
    chat.send_button.click()
    form = chat.page.get_by_role("form", name=f"Remember: {fact[:20]}")
    expect(form.get_by_role("button", name="Allow")).to_be_visible()
    return form


def open_menu(chat: ChatPage) -> None:
    chat.page.get_by_role("button", name="Tools").click()


def is_in_sight(element: Locator) -> bool:
    """Return whether nothing covers the middle of an element."""
    found: bool = element.evaluate(
        """(element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }"""
    )
    return found


def test_a_permission_for_a_chat_is_revoked_in_its_menu(
    open_chat: Callable[..., ChatPage], petronella: StorageState
) -> None:
    chat = open_chat(storage_state=petronella)
    form = propose(chat)
    form.get_by_label("For how long").select_option("In this chat")
    form.get_by_role("button", name="Allow").click()
    expect(chat.last_answer.locator(".tool-call")).to_have_text(f"Remember: {FACT} · Allowed")
    open_menu(chat)
    chat.page.get_by_label("Calculate").check()
    chat.page.get_by_role("button", name="Revoke Remember things for later chats").click()
    told = chat.page.locator("#allowed-tools").get_by_role("status")
    expect(told).to_have_text("Remember things for later chats asks again in this chat.")
    expect(told).to_be_focused()
    chat.page.keyboard.press("Escape")
    open_menu(chat)
    expect(told).to_have_count(0)
    expect(chat.page.get_by_label("Calculate")).to_be_checked()  # not sent yet
    chat.page.keyboard.press("Escape")
    chat.send("Please remember that I ski")
    expect(chat.page.locator(".tool-call-decision")).to_be_visible()


@pytest.mark.parametrize("fact", [FACT, LONG_FACT.strip()])
def test_the_form_is_in_sight_on_a_small_phone(
    open_chat: Callable[..., ChatPage], petronella: StorageState, fact: str
) -> None:
    chat = open_chat(storage_state=petronella, **SMALL)
    form = propose(chat, fact)
    allow = form.get_by_role("button", name="Allow")
    expect(allow).to_be_in_viewport(ratio=1)
    assert is_in_sight(allow)
    assert overflow(chat.page) <= 0
    chat.page.set_viewport_size(KEYBOARD)
    for each in (allow, form.get_by_label("Reason, if you refuse")):
        each.focus()
        expect(each).to_be_in_viewport(ratio=1)
        assert is_in_sight(each)


def test_a_page_that_missed_a_decision_shows_it(
    open_chat: Callable[..., ChatPage], petronella: StorageState
) -> None:
    chat = open_chat(storage_state=petronella)
    chat.page.route_web_socket("**/chat/notifications", lambda socket: None)
    chat.page.reload()
    form = propose(chat)
    other = chat.page.context.new_page()
    other.goto(chat.page.url)
    other.locator(".tool-call-decision").get_by_role("button", name="Refuse").click()
    expect(other.locator(".answer").last).to_contain_text("Refused")
    form.get_by_role("button", name="Allow").click()
    expect(chat.last_answer.locator(".tool-call")).to_have_text(f"Remember: {FACT} · Refused")
    expect(form).to_have_count(0)


def test_always_is_offered_only_where_the_site_allows_it(
    open_chat: Callable[..., ChatPage], petronella: StorageState
) -> None:
    chat = open_chat(storage_state=petronella)
    for answer, offered in (
        ("no", ["This time", "In this chat"]),
        ("", ["This time", "In this chat", "Always"]),
    ):
        chat.page.evaluate(
            "(answer) => (document.getElementById('main').dataset.toolsAlways = answer)", answer
        )
        form = propose(chat, f"I ski{answer}")
        expect(form.get_by_label("For how long").locator("option")).to_have_text(offered)
        form.get_by_role("button", name="Refuse").click()
        expect(form).to_have_count(0)
        chat.wait_for_end()


@pytest.mark.quick
def test_without_scripts_a_form_decides_and_the_answer_goes_on(
    open_chat: Callable[..., ChatPage], open_page: Callable[..., Page], petronella: StorageState
) -> None:
    chat = open_chat(storage_state=petronella)
    propose(chat)
    page = open_page(chat.page.url, storage_state=petronella, java_script_enabled=False)
    form = page.get_by_role("form", name=f"Remember: {FACT}")
    form.get_by_label("What to remember").fill("I eat no meat")
    form.get_by_label("For how long").select_option("In this chat")
    form.get_by_role("button", name="Allow").click()
    expect(page).to_have_url(re.compile(r"\?at=\d+#m\d+$"))
    expect(chat.last_text).to_contain_text("Kept for later chats")
    chat.wait_for_end()  # a page without scripts shows what is stored
    page.reload()
    expect(page.locator(".answer").last).to_contain_text("Kept for later chats")
    page.get_by_role("link", name=re.compile("^Options for")).click()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("button", name="Revoke")).to_have_count(0)


def test_long_arguments_are_loaded_before_anybody_decides(
    open_chat: Callable[..., ChatPage], petronella: StorageState
) -> None:
    """The stream leaves out the end, which may be what matters."""
    chat = open_chat(storage_state=petronella)
    open_menu(chat)
    chat.page.get_by_label("Remember things for later chats").check()
    chat.page.keyboard.press("Escape")
    chat.page.route("**/chat/tool-calls/*", lambda route: route.abort())
    chat.send("/tool remember " + json.dumps({"padding": "a" * LONGER_THAN_A_STEP, "text": FACT}))
    expect(chat.last_answer).to_contain_text("Couldn't load this. Check your connection")
    expect(chat.last_answer.get_by_role("button", name="Allow")).to_have_count(0)
    chat.page.unroute("**/chat/tool-calls/*")
    chat.page.reload()
    form = chat.page.locator(".tool-call-decision")
    expect(form.get_by_label("What to remember")).to_have_value(FACT)
    form.get_by_role("button", name="Allow").click()
    expect(chat.last_text).to_contain_text("Kept for later chats")


def test_whole_arguments_of_a_running_answer_are_loaded_without_a_reload(
    open_chat: Callable[..., ChatPage], petronella: StorageState
) -> None:
    chat = open_chat(storage_state=petronella)
    open_menu(chat)
    chat.page.get_by_label("Remember things for later chats").check()
    chat.page.keyboard.press("Escape")
    chat.send("/tool remember " + json.dumps({"padding": "a" * LONGER_THAN_A_STEP, "text": FACT}))
    form = chat.page.locator(".tool-call-decision")
    expect(form.get_by_label("What to remember")).to_have_value(FACT)
    expect(form.get_by_label("padding")).to_have_value("a" * LONGER_THAN_A_STEP)
