"""A notice says that an answer in the background is ready: if wanted and allowed, without text."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import MINUTE, ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe

HIDE = 'Object.defineProperty(document, "hidden", { get: () => true, configurable: true })'
#: Chromium without a window has no permissions to ask for.
RECORD = """
  window.notices = [];
  window.asked = 0;
  const state = { permission: "%s" };
  window.Notification = class {
    static get permission() { return state.permission; }
    static async requestPermission() {
      window.asked += 1;
      return (state.permission = window.willAnswer ?? "granted");
    }
    constructor(heading, { body, tag }) { window.notices.push({ heading, body, tag, notice: this }); }
    close() { this.isClosed = true; }
  };
"""
TEXTS = "window.notices.map(({ heading, body }) => [heading, body])"
WANTED = "Notify me of answers in the background"

pytestmark = pytest.mark.long


@pytest.fixture
def nora(site: LiveSite, request: pytest.FixtureRequest) -> StorageState:
    """Create a member for this test, because settings outlive it."""
    return sign_in(site, f"nora-{abs(hash(request.node.name))}@example.org")


@pytest.fixture
def open_noticed(open_page: Callable[..., Page], nora: StorageState) -> Callable[..., Page]:
    def open_noticed(path: str, permission: str = "default", **options: Any) -> Page:
        page = open_page("/healthz", storage_state=nora, **options)
        page.add_init_script(RECORD % permission)
        page.goto(path)
        return page

    return open_noticed


def choose(page: Page, choice: str) -> None:
    page.get_by_role("group", name=WANTED).get_by_label(choice).check()
    expect(page.locator("#saved")).to_have_text("Saved.")


def test_permission_is_asked_only_after_a_choice(open_noticed: Callable[..., Page]) -> None:
    page = open_noticed("/settings/", **BARE)
    assert page.evaluate("window.asked") == 0
    page.evaluate("window.willAnswer = 'default'")
    choose(page, "With the chat's title")
    assert page.evaluate("window.asked") == 1
    button = page.get_by_role("button", name="Allow notifications")
    expect(button).to_be_visible()
    assert axe(page) == []
    page.evaluate("window.willAnswer = 'denied'")
    button.click()
    expect(page.locator("#notice-permission")).to_contain_text("This browser blocks")
    choose(page, "Off")
    expect(page.locator("#notice-permission")).to_be_hidden()


@pytest.mark.parametrize(
    ("choice", "texts"),
    [
        ("With the chat's title", [["Your answer is ready", "River notes"]]),
        ("Without the title", [["Your answer is ready", ""]]),
        ("Off", []),
    ],
)
def test_a_notice_says_only_what_was_chosen(
    open_noticed: Callable[..., Page], choice: str, texts: list[list[str]]
) -> None:
    page = open_noticed("/settings/", "granted")
    if choice != "Off":
        choose(page, choice)
    page.goto("/chat/")
    chat = ChatPage(page)
    chat.ask("River notes")  # the emulator's chats are named for their first words
    assert page.evaluate("window.notices.length") == 0  # it was watched
    if choice == "With the chat's title":
        expect(page.locator("#chat-head [data-part=name]")).not_to_have_text("Untitled")
        title = page.locator("#chat-head [data-part=name]").text_content()
        texts = [[texts[0][0], str(title)]]
    page.evaluate(HIDE)
    chat.ask("/long 60")
    page.wait_for_timeout(500)
    assert page.evaluate(TEXTS)[:1] == texts
    if texts:
        page.evaluate("window.notices[0].notice.onclick()")
        assert page.evaluate("window.notices[0].notice.isClosed")
        assert len(set(page.evaluate("window.notices.map(({ tag }) => tag)"))) == 1


def test_a_tab_that_reads_no_stream_any_more_hears_of_the_end(
    open_noticed: Callable[..., Page],
) -> None:
    page = open_noticed("/settings/", "granted")
    choose(page, "Without the title")
    page.goto("/chat/")
    chat = ChatPage(page)
    chat.ask("Hello")
    chat.send("/slow Take your time with this.")
    chat.wait_for_text(3)
    page.evaluate(HIDE)
    page.evaluate(
        """() => {
          Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    page.wait_for_function("() => window.notices.length > 0", timeout=MINUTE)
    assert page.evaluate(TEXTS)[0] == ["Your answer is ready", ""]


def test_an_answer_that_the_user_stopped_is_not_announced(
    open_noticed: Callable[..., Page],
) -> None:
    page = open_noticed("/settings/", "granted")
    choose(page, "Without the title")
    page.goto("/chat/temporary/")
    chat = ChatPage(page)
    chat.send("/slow Water")
    chat.wait_for_text(3)
    page.evaluate(HIDE)
    chat.stop_button.click()
    chat.wait_for_end()
    assert page.evaluate("window.notices.length") == 0
