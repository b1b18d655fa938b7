"""On the way back to a chat, the reader is where they left it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, StorageState, expect

from tests.browser.conftest import IN_FIREFOX, sign_in
from tests.browser.server import LiveSite

#: A long chat, whose formatted text has another height than the plain one, and a short one.
MAKE = """
from chat.accounts.models import User
from chat.conversations import turns
from chat.conversations.models import Conversation
owner = User.objects.get(email="palmira@example.org")
text = "\\n\\n".join(["# Rivers", "Rivers **bend** and bend. " * 30, "- one\\n- two\\n- three"] * 2)
for title, count in (("Brook", 1), ("River", 70)):
    chat, last = turns.start_conversation(owner.pk), None
    for number in range(count):
        last = turns.add_answer(turns.post_question(chat, f"{title} {number}", last))
        last.text = f"{title} answer {number}\\n\\n{text}"
        last.save()
    Conversation.objects.filter(pk=chat.pk).update(title=title)
"""
TOP = """number => [...document.querySelectorAll(".exchange")]
    .find((each) => each.querySelector(".question .message-text").textContent.trim() === `River ${number}`)
    .getBoundingClientRect().top"""


@pytest.fixture(scope="module")
def palmira(site: LiveSite) -> StorageState:
    state = sign_in(site, "palmira@example.org")
    site.run(MAKE)
    return state


@pytest.fixture
def page(open_page: Callable[..., Page], palmira: StorageState) -> Page:
    page = open_page("/chat/", storage_state=palmira)
    page.locator("#message[enterkeyhint]").wait_for()
    return page


def open_chat(page: Page, title: str) -> None:
    page.locator("#conversations").get_by_role("link", name=title, exact=True).click()
    expect_chat(page, title)


def expect_chat(page: Page, title: str) -> None:
    expect(page.locator("#chat-head")).to_contain_text(title)
    expect(page.locator(".answer .formatted").first).to_be_attached()


def question(page: Page, number: int) -> Locator:
    return page.locator(".question", has=page.get_by_text(f"River {number}", exact=True))


def read(page: Page, number: int) -> float:
    """Scroll like a reader until a question is in view, and return where it is in the window."""
    page.mouse.move(700, 300)
    page.mouse.wheel(0, -1000)
    expect(page.get_by_role("button", name="Jump to latest")).to_be_visible()
    while not question(page, number).count():
        page.mouse.wheel(0, -10_000)
        page.wait_for_timeout(50)
    settle(page)
    question(page, number).scroll_into_view_if_needed()
    settle(page)
    question(page, number).scroll_into_view_if_needed()
    return top(page, number)


def settle(page: Page) -> None:
    """Wait until nothing near the window is unformatted or being loaded."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.wait_for_function(
        """() => [...document.querySelectorAll(".exchange")].every((each) => {
            const { top, bottom } = each.getBoundingClientRect();
            return bottom < -innerHeight || top > 2 * innerHeight || each.querySelector(".formatted");
        })"""
    )


def top(page: Page, number: int) -> float:
    place: float = page.evaluate(TOP, number)
    return place


def expect_at(page: Page, number: int, expected: float) -> None:
    expect(question(page, number)).to_be_in_viewport()
    settle(page)
    page.wait_for_function(
        f"([number, top]) => Math.abs(({TOP})(number) - top) < 2", arg=[number, expected]
    )


@pytest.mark.quick
def test_back_and_forward_lead_to_the_place_that_was_left(page: Page) -> None:
    open_chat(page, "River")
    before = read(page, 60)
    open_chat(page, "Brook")
    page.go_back()
    expect_chat(page, "River")
    expect_at(page, 60, before)
    page.go_back()
    expect(page.locator("#main")).to_have_attribute("data-empty", "")
    page.go_forward()
    expect_chat(page, "River")
    expect_at(page, 60, before)
    expect(page.get_by_role("button", name="Jump to latest")).to_be_visible()


def test_earlier_messages_that_were_read_are_loaded_again(page: Page) -> None:
    open_chat(page, "River")
    before = read(page, 4)
    open_chat(page, "Brook")
    page.go_back()
    expect_at(page, 4, before)


def test_a_link_to_the_chat_and_its_end_still_lead_to_its_end(page: Page) -> None:
    open_chat(page, "River")
    read(page, 60)
    open_chat(page, "Brook")
    open_chat(page, "River")
    expect(page.locator(".answer").last.locator("li").last).to_be_in_viewport()
    open_chat(page, "Brook")
    page.go_back()
    expect_chat(page, "River")
    expect(page.locator(".answer").last.locator("li").last).to_be_in_viewport()


@pytest.mark.skipif(IN_FIREFOX, reason="Playwright's reload is a new visit there")
def test_a_reload_and_the_way_back_from_another_page_keep_the_place(page: Page) -> None:
    open_chat(page, "River")
    before = read(page, 60)
    page.reload()
    expect_at(page, 60, before)
    page.goto("/settings/")
    page.go_back()
    expect_at(page, 60, before)
